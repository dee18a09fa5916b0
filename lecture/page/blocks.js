/*
 * blocks.js: the view of the blocks of a launch as a timeline, and the knobs of the run.
 *
 * A block is waiting, running, spinning or done from an event of run.timeline on; a row of the
 * picture is a block, from left to right go the steps of its launch. What has not happened yet is
 * pale, or hidden before the answer is known. A click goes to that step. The knobs are words of
 * engine.set; changed ones run it all again.
 */
"use strict";

const blocks_view = (() => {
    /* [from, to, state] of each block of the launch; blocks without an event wait all the time. */
    function pieces_of(run, launch) {
        const { first, last, grid } = run.launches[launch];
        const blocks = Array.from({ length: grid[0] * grid[1] * grid[2] }, () => []);
        for (const [step, at, block, state] of run.timeline) {
            if (at !== launch || !blocks[block])
                continue;
            const before = blocks[block][blocks[block].length - 1];
            if (before)
                before[1] = step;
            blocks[block].push([step, last + 1, state]);
        }
        for (const pieces of blocks)
            if (!pieces.length || pieces[0][0] > first)
                pieces.unshift([first, pieces.length ? pieces[0][0] : last + 1, "waiting"]);
        return blocks;
    }

    function count_states(state) {
        const count = { waiting: 0, running: 0, spinning: 0, done: 0 };
        state.blocks.forEach((b) => count[b]++);
        return count;
    }

    function title(model) {
        const count = count_states(model.state);
        const words = [["running", "run"], ["spinning", "spin"], ["waiting", "wait to start"],
                       ["done", "done"]]
            .filter(([name]) => count[name])
            .map(([name, word]) => `${count[name]} ${count[name] === 1
                ? word.replace(/^(run|spin|wait)/, "$1s") : word}`);
        const all = ui.plural(model.state.blocks.length, "block");
        return words.length ? `${all}: ${words.join(", ")}` : all;
    }

    /* In pixels: width and height are what there is room for. */
    function picture(model, WIDTH, room) {
        const { run, state } = model, launch = run.launches[state.launch], em = ui.em();
        const { first, last } = launch, blocks = pieces_of(run, state.launch), LEFT = 4.8 * em;
        const row = Math.max(0.2 * em, Math.min(2.6 * em, (room - 1.8 * em) / blocks.length));
        const height = row * blocks.length;
        const x = (step) => LEFT + (WIDTH - LEFT) * (step - first) / Math.max(1, last + 1 - first);
        const now = Math.max(first, Math.min(last, state.step));
        const every = Math.ceil(em / row);
        const svg = ui.draw("svg", {
            viewBox: `0 0 ${WIDTH} ${height + 1.8 * em}`, class: "timeline", role: "img",
            "aria-label": `${title(model)}, at step ${state.step}`,
            onclick: (e) => {
                const at = svg.createSVGPoint();
                at.x = e.clientX;
                const inside = at.matrixTransform(svg.getScreenCTM().inverse()).x;
                const share = (inside - LEFT) / (WIDTH - LEFT);
                model.go(Math.round(first + Math.max(0, Math.min(1, share)) * (last - first)));
            },
        }, ui.draw("defs", null, ui.draw("pattern", {
            id: "stripes", width: 8, height: 8, patternUnits: "userSpaceOnUse",
            patternTransform: "rotate(45)" },
        ui.draw("rect", { width: 8, height: 8, class: "spinning" }),
        ui.draw("rect", { width: 3, height: 8, class: "stripe" }))));

        blocks.forEach((pieces, block) => {
            const y = block * row;
            if (block % every === 0)
                svg.append(ui.draw("text", { x: LEFT - 8, y: y + row / 2, class: "label",
                                             "font-size": Math.min(em, Math.max(row, 0.75 * em)) },
                                   row > 0.8 * em ? `block ${block}` : String(block)));
            for (const [from, to, what] of pieces) {
                const width = Math.max(0.5, x(to) - x(from));
                svg.append(ui.draw("rect", { x: x(from), y: y + row * 0.08, width,
                    height: row * 0.84, class: what,
                    fill: what === "spinning" ? "url(#stripes)" : null }));
                if (row > em && width > 0.62 * em * what.length)
                    svg.append(ui.draw("text", { x: x(from) + 0.3 * em, y: y + row / 2,
                        class: `inside ${what}`, "font-size": Math.min(em, row * 0.7) }, what));
            }
        });
        svg.append(
            ui.draw("rect", { x: x(now + 1), y: 0, height,
                              width: Math.max(0, WIDTH + 2 - x(now + 1)),
                              class: model.revealed ? "future known" : "future" }),
            ui.draw("line", { x1: x(now), x2: x(now), y1: 0, y2: height + 0.3 * em, class: "now" }),
            ui.draw("text", { x: Math.min(WIDTH - 4 * em, Math.max(LEFT + 3 * em, x(now))),
                              y: height + 1.1 * em, class: "at", "font-size": em },
                    `step ${ui.number(state.step)}`));
        return svg;
    }

    /* ---- the knobs --------------------------------------------------------------------------- */

    function knob(model, name, label, input) {
        input.id = `knob_${name}`;
        input.addEventListener("change", () => {
            const value = input.type === "checkbox" ? Number(input.checked) : input.value;
            model.set(`${name}=${value}`);
        });
        return ui.make("label", null, label, " ", input);
    }

    function knobs(model) {
        const s = model.settings;
        const number = (value, least, most) => ui.make("input", { type: "number", min: least,
                                                                  max: most, value });
        const box = (checked) => ui.make("input", { type: "checkbox", checked });
        return ui.make("form", { class: "knobs", "aria-label": "Knobs of the run",
                                 onsubmit: (e) => e.preventDefault() },
            knob(model, "resident", "Blocks at a time", number(s.resident || 8, 1, 64)),
            knob(model, "order", "Blocks start", ui.make("select", null,
                [["in", "in order"], ["reversed", "reversed"], ["shuffled", "shuffled"]].map(
                    ([value, words]) => ui.make("option", { value, selected: value === s.order },
                                                words)))),
            knob(model, "shuffle", "Warps shuffled", box(s.shuffle)),
            knob(model, "seed", "Seed", number(s.seed, 0, 999999)),
            knob(model, "late", "Late stores", box(s.late)),
            ui.make("button", { type: "button", id: "knob_reset", disabled: s.recorded,
                                onclick: () => model.set("reset=1") }, "As recorded"));
    }

    function draw(box, model) {
        const { run, state } = model, launch = run.launches[state.launch];
        const many = run.launches.length > 1
            ? `Launch ${state.launch + 1} of ${run.launches.length}: ` : "";
        const width = box.clientWidth - 8, waits = waits_view.is_known(model);
        ui.fill(box, knobs(model),
            ui.make("p", { class: "note" }, launch
                ? `${many}${launch.kernel}, ${run.schedule}` : "There was no launch."),
            launch && launch.last >= launch.first
                ? ui.make("div", { class: "side" }, picture(model, waits ? width * 0.53 : width,
                                                            box.clientHeight - 5.5 * ui.em()),
                          waits ? waits_view.picture(model, width * 0.44) : "") : "");
    }

    return { id: "blocks", name: "Blocks", wide: true, title, draw, pieces_of };
})();
