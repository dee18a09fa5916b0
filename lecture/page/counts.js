/*
 * counts.js: the view of what the run has cost up to the step, beside the limits that theory sets.
 *
 * A row is a gate of the lab: the value so far, the limit, a bar. Gates that the lab's page names
 * come first, the others fold. A number for each source line stands beside the source while this
 * view is shown.
 */
"use strict";

const counts_view = (() => {
    const FIELDS = { "": "nothing", instructions: "warp instructions", adds: "additions",
                     divergent: "divergent branches", wavefronts: "wavefronts of shared memory",
                     sectors: "sectors of global memory", barriers: "barriers" };
    let field = "instructions";

    const ends = (model) => model.state.step === model.run.steps;

    function title(model) {
        const { state } = model;
        if (ends(model)) {
            const beyond = state.gates.filter((g) => !g.within);
            return beyond.length ? `Beyond the limit: ${beyond.map((g) => g.name).join(", ")}`
                                 : "All within the limits";
        }
        return `${ui.plural(state.counts.warp_instructions || 0, "warp instruction")} so far`;
    }

    /* The head of a formula, "S log2 S - (S - 1) = 1793 per section", is enough for the hall. */
    const short = (formula) => formula.split(/[:;]/)[0];

    function row(gate, final) {
        const most = gate.bound === "most", limit = gate.limit;
        const full = Math.max(limit, gate.value, 1e-9), broken = final && !gate.within;
        const bar = ui.draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none",
                                     class: "bar", "aria-hidden": "true" },
            ui.draw("rect", { width: 100 * gate.value / full, height: 10,
                              class: broken || (most && !gate.within) ? "beyond" : "inside" }),
            ui.draw("rect", { x: Math.min(99, 100 * limit / full), width: 1, height: 10,
                              class: "limit" }));
        return ui.make("tr", null,
            ui.make("th", { scope: "row" }, gate.name,
                    ui.make("small", { title: gate.formula }, short(gate.formula))),
            ui.make("td", { class: "amount" }, ui.number(ui.value(gate.value))),
            ui.make("td", { class: "graph" }, bar),
            ui.make("td", { class: "amount" }, most ? "at most " : "at least ",
                    ui.number(ui.value(limit))),
            ui.make("td", { class: broken ? "bad" : "good" }, !final ? ""
                : gate.within ? "within" : most ? "too many" : "too few"));
    }

    function table(gates, final) {
        return ui.make("table", { class: "gates" },
            ui.make("thead", null, ui.make("tr", null,
                ["what", "so far", "", "theory", ""].map(
                    (w) => ui.make("th", { scope: "col" }, w)))),
            ui.make("tbody", null, gates.map((g) => row(g, final))));
    }

    /* Where a part has no gates: what was counted. */
    function plain(counts) {
        const made = Object.entries(counts).filter(([, count]) => count);
        return ui.make("table", { class: "gates" }, ui.make("tbody", null,
            made.map(([name, count]) => ui.make("tr", null,
                ui.make("th", { scope: "row" }, name.replace(/_/g, " ")),
                ui.make("td", { class: "amount" }, ui.number(count))))));
    }

    function draw(box, model) {
        const { state, run } = model, final = ends(model);
        const first = state.gates.filter((g) => g.taught || (final && !g.within));
        const other = state.gates.filter((g) => !first.includes(g));
        const open = box.querySelector("details")?.open || first.length === 0;
        const c = state.counts;
        const share = c.warp_instructions
            ? Math.round(100 * c.thread_instructions / (32 * c.warp_instructions)) : 0;

        source.cost(run, field);
        ui.fill(box,
            ui.make("p", { class: "tools" }, ui.make("label", null, "Beside the source, per line: ",
                ui.make("select", { id: "cost", onchange: (e) => {
                    field = e.target.value;
                    source.cost(run, field);
                } }, Object.entries(FIELDS).map(([value, words]) =>
                    ui.make("option", { value, selected: value === field }, words))))),
            first.length ? table(first, final) : "",
            state.gates.length ? "" : plain(c),
            c.warp_instructions ? ui.make("p", { class: "note" }, `On average ${share} % of the ` +
                `lanes work; ${ui.plural(c.barriers || 0, "barrier")}.`) : "",
            other.length ? ui.make("details", { open }, ui.make("summary", null,
                `${other.length} more`), table(other, final)) : "");
    }

    return { id: "counts", name: "Counts", title, draw };
})();
