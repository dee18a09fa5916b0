/*
 * lookback.js: the view of look-back: what each tile has published, and who looks at whom.
 *
 * A tile has published nothing (X), its own sum, the aggregate (A), or the sum of all up to its
 * end, the prefix (P). A look is the last one of a block that still runs: the tiles whose
 * descriptors a warp of it has read. An arrow goes from the block's own tile, where the run tells
 * which one that is, to the tiles that it looks at; that of this step is strong.
 */
"use strict";

const lookback_view = (() => {
    const WORDS = { X: "nothing yet", A: "its own sum", P: "the sum up to its end" }, MOST = 16;

    const has = (model) => model.run !== undefined &&
        (model.run.tile_events.length > 0 || model.run.looks.length > 0);

    /* The last look of each block that still runs, newest first: { block, step, tiles }. */
    function looks_now(model) {
        const { run, state } = model, last = new Map();
        const launch = run.launches[state.launch];
        for (const [step, block, tiles] of run.looks)
            if (launch && step >= launch.first && step <= state.step)
                last.set(block, { block, step, tiles });
        return [...last.values()]
            .filter((l) => state.blocks[l.block] !== "done")
            .sort((a, b) => b.step - a.step);
    }

    /* The tile that a block publishes for, in this launch; undefined: it never does. */
    function own_tile(model, block) {
        const { first, last } = model.run.launches[model.state.launch];
        const event = model.run.tile_events.find(([step, , , by]) => by === block &&
            step >= first && step <= last);
        return event && event[1];
    }

    function title(model) {
        const { state } = model;
        const count = (what) => state.tiles.filter((t) => t.state === what).length;
        if (state.looks.length)
            return `Block ${state.block} looks at ${state.looks.length === 1
                ? `tile ${state.looks[0]}` : `${state.looks.length} tiles`}`;
        const known = count("P"), all = ui.plural(state.tiles.length, "tile");
        return state.tiles.length
            ? `${known} of ${all} ${known === 1 ? "knows the sum up to its end"
                                                : "know the sum up to their end"}`
            : "No tile has published yet";
    }

    /* The first of the tiles that are drawn: those that something happens at. */
    function first_shown(model, looks) {
        const { tiles } = model.state;
        const busy = tiles.map((t, k) => (t.state !== "X" ? k : 0));
        const end = Math.max(0, ...busy, ...looks.flatMap((l) => l.tiles)) + 3;
        return Math.max(0, Math.min(tiles.length, Math.max(end, MOST)) - MOST);
    }

    function picture(model, looks, width) {
        const { state } = model, em = ui.em(), first = first_shown(model, looks);
        const shown = state.tiles.slice(first, first + MOST), pitch = width / shown.length;
        const side = Math.min(pitch - 0.3 * em, 7 * em), top = 5 * em, high = 4.6 * em;
        const x = (tile) => (tile - first + 0.5) * pitch;
        const svg = ui.draw("svg", { viewBox: `0 0 ${width} ${top + high}`, class: "tiles",
            role: "img", "aria-label": shown.map((t, k) =>
                `tile ${first + k}: ${WORDS[t.state] || t.state}`).join("; ") },
        ui.draw("defs", null, ["look", "look_now"].map((id) => ui.draw("marker", {
            id, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: em, markerHeight: em,
            markerUnits: "userSpaceOnUse", orient: "auto" },
        ui.draw("path", { d: "M 0 0 L 10 5 L 0 10 z", class: `tip ${id}_tip` })))));

        for (const { block, step, tiles } of looks.slice().reverse()) {
            const own = own_tile(model, block);
            for (const tile of tiles) {
                if (own === undefined || own < first || tile < first || own === tile)
                    continue;
                const a = x(own), b = x(tile), y = top - 0.2 * em;
                const up = Math.min(top - 0.4 * em, 1.2 * em + Math.abs(a - b) / 4);
                svg.append(ui.draw("path", { class: step === state.step ? "look now" : "look",
                    d: `M ${a} ${y} C ${a} ${y - up} ${b} ${y - up} ${b} ${y}`,
                    "marker-end": step === state.step ? "url(#look_now)" : "url(#look)" }));
            }
        }
        shown.forEach((tile, k) => {
            const text = (y, size, words, kind) => ui.draw("text", { x: x(first + k), y,
                "font-size": Math.min(size, side / 3), class: kind }, words);
            svg.append(ui.draw("g", { class: `tile ${tile.state}` },
                ui.draw("rect", { x: x(first + k) - side / 2, y: top, width: side,
                                  height: high - 0.2 * em, rx: 0.3 * em,
                                  class: state.looks.includes(first + k) ? "looked" : null }),
                text(top + 0.8 * em, 0.85 * em, `tile ${first + k}`),
                text(top + 2.3 * em, 2.2 * em, tile.state, "letter"),
                text(top + 3.7 * em, 0.85 * em, tile.block === null ? "" : `block ${tile.block}`)));
        });
        return svg;
    }

    /* "tiles 12 to 5": a list that falls or rises by one. */
    function span(tiles) {
        if (tiles.length < 3)
            return `${tiles.length === 1 ? "tile" : "tiles"} ${tiles.join(" and ")}`;
        return `tiles ${tiles[0]} to ${tiles[tiles.length - 1]}`;
    }

    function draw(box, model) {
        const looks = looks_now(model);
        ui.fill(box,
            ui.make("p", { class: "legend" }, Object.entries(WORDS).map(([key, words]) =>
                ui.make("span", { class: `key ${key}` }, `${key} ${words}`))),
            model.state.tiles.length ? picture(model, looks, box.clientWidth - 8) : "",
            ui.make("h3", null, looks.length ? "Who looks where" : "Nobody looks back now"),
            ui.make("ul", { class: "looks" }, looks.slice(0, 8).map((l) => ui.make("li", {
                class: l.step === model.state.step ? "looked" : null,
            }, `block ${l.block} at ${span(l.tiles)}`,
            l.step === model.state.step ? " now" : `, at step ${ui.number(l.step)}`))));
    }

    return { id: "lookback", name: "Look-back", wide: true, title, draw, has };
})();
