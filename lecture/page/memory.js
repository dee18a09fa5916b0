/*
 * memory.js: the view of memory: shared memory by banks, or a buffer by sectors, with what the step
 * touches.
 *
 * A word of shared memory has 32 bits; whether it is shown as a float is guessed from its bits, for
 * a variable at a time. A row of the picture is 32 words, a column a bank. A state has only a part
 * of a large buffer:
 *
 *     memory_view.part(state)     the first element to ask the engine for (its setting `view`), so
 *                                 that a state has what this one accesses; null: it has
 */
"use strict";

const memory_view = (() => {
    const VIEWED = 256;    /* elements of a buffer that a state has */
    let chosen = "", page = null, page_step = -1;

    const bits = new DataView(new ArrayBuffer(4));
    function as_float(word) {
        bits.setUint32(0, word);
        return bits.getFloat32(0);
    }

    function looks_float(words) {
        const set = words.filter((w) => w !== null && w !== 0);
        const sane = set.filter((w) => {
            const v = Math.abs(as_float(w));
            return v > 1e-6 && v < 1e9;
        });
        return set.length > 0 && sane.length >= 0.9 * set.length;
    }

    /* Words of a bank that one access wants, where there is more than one: [bank, count]. */
    function conflicts(touched) {
        const wanted = new Map();
        for (const [word] of touched) {
            const bank = word % 32;
            wanted.set(bank, (wanted.get(bank) || new Set()).add(word));
        }
        return [...wanted].filter(([, words]) => words.size > 1)
            .map(([bank, words]) => [bank, words.size]);
    }

    const now = (model) => {
        const { state } = model;
        if (chosen && (chosen === "shared" || state.buffers.some((b) => b.name === chosen)))
            return chosen;
        if (state.access && state.access.buffer)
            return state.access.buffer;
        return state.shared.bytes || !state.buffers.length ? "shared" : state.buffers[0].name;
    };

    function title(model) {
        const { state } = model, access = state.access;
        const does = access && (access.atomic ? "updates" : access.write ? "writes" : "reads");
        if (access && access.space === "shared") {
            const count = ui.plural(access.wavefronts, "wavefront");
            return access.wavefronts > access.ideal
                ? `Bank conflict: ${count} where ${access.ideal} would do`
                : `The warp ${does} shared memory in ${count}: no conflict`;
        }
        if (access && access.space === "global") {
            const count = ui.plural(access.sectors, "sector");
            return access.sectors > access.sectors_ideal
                ? `The warp ${does} ${count} where ${access.sectors_ideal} would do`
                : `The warp ${does} ${count} of global memory`;
        }
        return now(model) === "shared"
            ? `Shared memory of block ${state.block === null ? 0 : state.block}: 32 banks`
            : `${now(model)} in global memory`;
    }

    /* Elements that the step touches in what is shown: place -> lanes. */
    function touched_in(model, what) {
        const { state } = model, at = new Map();
        const add = (place, lane) => at.set(place, [...(at.get(place) || []), lane]);
        if (what === "shared")
            state.shared.touched.forEach(([word, lane]) => add(word, lane));
        else if (state.access && state.access.buffer === what)
            state.access.addresses.forEach((place, lane) => {
                if (place !== null)
                    add(place, lane);
            });
        return at;
    }

    function cells_of(model, what) {
        const { state } = model;
        if (what !== "shared") {
            const buffer = state.buffers.find((b) => b.name === what);
            return { from: buffer.from, values: buffer.values,
                     name: (k) => (k % 32 === 0 ? `[${k}]` : "") };
        }
        const words = state.shared.words, values = words.slice(), names = new Map();
        for (const v of state.shared.variables) {
            const first = v.offset >> 2;
            const end = Math.min(words.length, (v.offset + v.bytes + 3) >> 2);
            const float = looks_float(words.slice(first, end));
            for (let k = first; k < end; k++) {
                if (values[k] !== null)
                    values[k] = float ? as_float(values[k]) : values[k] | 0;
                if (k === first || k % 32 === 0)
                    names.set(k, `${k === first ? v.name : ""}[${k - first}]`);
            }
        }
        return { from: 0, values, name: (k) => names.get(k) || "" };
    }

    /* What fits into the view without scrolling. */
    const rows_that_fit = (box) => Math.max(4, Math.floor(box.clientHeight / ui.em() / 1.62 - 3.4));

    function table(model, what, most) {
        const { from, values, name } = cells_of(model, what);
        const at = touched_in(model, what), access = model.state.access;
        const rows = Math.ceil(values.length / 32), pages = Math.max(1, Math.ceil(rows / most));
        if (page_step !== model.state.step) {
            const first = Math.min(...at.keys());
            page_step = model.state.step;
            page = at.size ? Math.floor((first - from) / 32 / most) : page;
        }
        page = Math.min(Math.max(0, page || 0), pages - 1);
        const crowded = new Map(what === "shared" ? conflicts(model.state.shared.touched) : []);
        const head = ui.make("tr", null, ui.make("th", { scope: "col" },
                                                 what === "shared" ? "bank" : what));
        for (let bank = 0; bank < 32; bank++)
            head.append(ui.make("th", { scope: "col", class: crowded.has(bank) ? "crowded" : null },
                String(bank),
                crowded.has(bank) ? ui.make("b", null, `×${crowded.get(bank)}`) : ""));
        const body = [];
        for (let row = page * most; row < Math.min(rows, (page + 1) * most); row++) {
            const line = ui.make("tr", null, ui.make("th", { scope: "row" },
                                                     name(from + row * 32)));
            for (let k = row * 32; k < Math.min(values.length, row * 32 + 32); k++) {
                const lanes = at.get(from + k);
                const kind = !lanes ? values[k] === null ? "unset" : null
                    : access && access.write ? "written" : "read";
                const text = values[k] === null ? "·" : ui.value(values[k]);
                line.append(ui.make("td", { class: kind },
                    ui.make("span", { class: text.length > 4 ? "long" : null }, text),
                    lanes ? ui.make("span", { class: "lane" }, lanes.length > 1
                        ? `×${lanes.length}` : `L${lanes[0]}`) : ""));
            }
            body.push(line);
        }
        return [ui.make("table", { class: "memory" }, ui.make("thead", null, head),
                        ui.make("tbody", null, body)),
                pages > 1 ? pager(model, pages) : ""];
    }

    function pager(model, pages) {
        const turn = (by) => () => { page += by; model.show(); };
        return ui.make("p", { class: "tools" },
            ui.make("button", { id: "rows_before", disabled: page === 0, onclick: turn(-1) },
                    "Rows before"),
            ` part ${page + 1} of ${pages} `,
            ui.make("button", { id: "rows_after", disabled: page === pages - 1, onclick: turn(1) },
                    "Rows after"));
    }

    function part(state) {
        const { access } = state;
        const buffer = access && state.buffers.find((b) => b.name === access.buffer);
        const first = buffer && access.addresses.find((a) => a !== null);
        if (!buffer || (first >= buffer.from && first < buffer.from + VIEWED))
            return null;
        return first - first % VIEWED;
    }

    function draw(box, model) {
        const { state } = model, what = now(model);
        const all = [...(state.shared.bytes ? ["shared"] : []),
                     ...state.buffers.map((b) => b.name)];
        const none = what === "shared" && !state.shared.bytes;
        ui.fill(box,
            ui.make("p", { class: "tools" }, ui.make("label", null, "Memory ", ui.make("select", {
                id: "memory", onchange: (e) => { chosen = e.target.value; model.show(); },
            }, ui.make("option", { value: "" }, "of this step"),
            all.map((m) => ui.make("option", { value: m, selected: m === chosen },
                                   m === "shared" ? "shared memory" : m)))),
            ui.make("span", { class: "legend" },
                ui.make("span", { class: "key read" }, "read now"),
                ui.make("span", { class: "key written" }, "written now"),
                ui.make("span", { class: "key" }, "· not set"),
                ui.make("span", { class: "key" }, "L3 by lane 3, ×8 by 8 lanes"))),
            none ? ui.make("p", null, "No shared memory here.") : table(model, what,
                                                                  rows_that_fit(box)));
    }

    return { id: "memory", name: "Memory", wide: true, title, draw, part };
})();
