/*
 * lanes.js: the view of a warp: 32 lanes, which of them work, and a value of each.
 *
 *     lanes_view.title, lanes_view.draw(box, model)    as of every view (stage.js)
 *     lanes_view.strip(box, state)                     the 32 lanes as a strip, for the foot
 *
 * Which register is shown: the one that is chosen, or the one that the step is about: what it
 * stores, or what it wrote.
 */
"use strict";

const lanes_view = (() => {
    let chosen = "";

    const names_in = (text) => text.match(/%[a-z]+\d+/g) || [];

    function register_of(state) {
        const named = names_in(state.text);
        const find = (name) => state.registers.find((r) => r.name === name);
        const fresh = state.registers.find((r) => r.step === state.step);
        const stored = /^(st|red|atom)/.test(state.text) ? named[named.length - 1] : null;

        return find(chosen) || (stored && find(stored)) || fresh ||
            named.map(find).find((r) => r) || state.registers[state.registers.length - 1] || null;
    }

    /* "s_sum[12]", "d_in[12]" of a lane's access; "" if it makes none. */
    function place(state, lane) {
        const access = state.access, address = access ? access.addresses[lane] : null;
        if (!access || address === null || address === undefined)
            return "";
        if (access.buffer)
            return `${access.buffer}[${address}]`;
        if (access.space !== "shared")
            return ui.value(address);
        const variable = state.shared.variables.find(
            (v) => address >= v.offset && address < v.offset + v.bytes);
        return variable ? `${variable.name}[${Math.floor((address - variable.offset) / 4)}]`
                        : `word ${address >> 2}`;
    }

    function title(model) {
        const { state } = model;
        if (state.block === null)
            return "Nothing has run yet";
        const count = ui.lanes(state.mask);
        if (state.waits)
            return `Warp ${state.warp} of block ${state.block} waits`;
        return count === 32 ? "All 32 lanes work"
                            : `${count} of 32 lanes ${count === 1 ? "works" : "work"}`;
    }

    function choice(model, register) {
        const { state } = model;
        const about = (r) => `${r.name}, ${r.kind}${r.step === state.step ? ", written now" : ""}`;
        return ui.make("label", null, "Value ", ui.make("select", {
            id: "register",
            onchange: (e) => { chosen = e.target.value; model.show(); },
        }, ui.make("option", { value: "" }, register && !chosen
            ? `of this step (${register.name})` : "of this step"),
        state.registers.map((r) => ui.make("option", { value: r.name, selected: r.name === chosen },
                                           about(r)))));
    }

    function shown(register, lane) {
        const value = register ? register.values[lane] : null;
        return register && register.kind === "predicate" && value !== null
            ? (value ? "yes" : "no") : ui.value(value);
    }

    function cell(state, register, lane) {
        const text = shown(register, lane) || "–";
        const works = state.mask >>> lane & 1, active = state.active >>> lane & 1;
        return ui.make("li", { class: works ? "works" : active ? "skips" : "idle" },
            ui.make("span", { class: "lane" }, String(lane)),
            ui.make("span", { class: "word" }, works ? "works, " : "idle, "),
            ui.make("b", { class: text.length > 5 ? "long" : null }, text),
            ui.make("span", { class: "place" }, place(state, lane)));
    }

    function draw(box, model) {
        const { state } = model, register = register_of(state);
        const cells = [];

        for (let lane = 0; lane < 32; lane++)
            cells.push(cell(state, register, lane));
        ui.fill(box,
            ui.make("p", { class: "instruction" }, ui.make("code", null, state.text || " ")),
            ui.make("p", { class: "tools" }, choice(model, register)),
            ui.make("ol", { class: "lanes", start: 0,
                            "aria-label": register ? `${register.name} of each lane` : "Lanes" },
                    cells));
    }

    function strip(box, state) {
        const cells = [];
        for (let lane = 0; lane < 32; lane++)
            cells.push(ui.make("span", { class: state.mask >>> lane & 1 ? "works"
                : state.active >>> lane & 1 ? "skips" : "idle" }, String(lane)));
        ui.fill(box, cells);
    }

    return { id: "lanes", name: "Lanes", title, draw, strip };
})();
