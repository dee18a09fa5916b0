/*
 * waits.js: who waits for whom in a deadlock, as a graph and in sentences. A part of the views of
 * blocks and of the finding.
 *
 *     waits_view.is_known(model)     the step is one at which the launch stands still
 *     waits_view.picture(model, w)   the graph, w pixels wide; null where nobody waits
 *     waits_view.sentences(model)    the same in words
 *
 * Above are blocks that wait, below those that they wait for and that do not wait themselves: not
 * started, done, or unknown.
 */
"use strict";

const waits_view = (() => {
    const MOST = 12;

    const is_known = (model) => model.run.waits.length > 0 && model.revealed;

    /* A block waits once, however many of its warps do. */
    function arrows_of(model) {
        const seen = new Set(), arrows = [];
        for (const wait of model.run.waits) {
            const key = `${wait.block} ${wait.writer}`;
            if (!seen.has(key))
                arrows.push(wait);
            seen.add(key);
        }
        return arrows;
    }

    function node(at, name, words, kind) {
        const em = ui.em();
        return ui.draw("g", { class: `node ${kind}` },
            ui.draw("rect", { x: at.x - at.half, y: at.y - 1.2 * em, width: 2 * at.half,
                              height: 2.4 * em, rx: 0.5 * em }),
            ui.draw("text", { x: at.x, y: at.y - (words ? 0.4 * em : 0), class: "name",
                              "font-size": 0.95 * em }, name),
            words ? ui.draw("text", { x: at.x, y: at.y + 0.6 * em, "font-size": 0.75 * em },
                            words) : "");
    }

    function arrow(from, to) {
        const level = from.y === to.y, dx = to.x - from.x, em = ui.em(), half = 1.3 * em;
        const y1 = level ? from.y - half : from.y + half, y2 = to.y - half;
        const bend = Math.min(2.5 * em, em + Math.abs(dx) / 8);
        const path = from === to
            ? `M ${from.x - em} ${y1} C ${from.x - 2 * em} ${y1 - 2 * em} ${from.x + 2 * em} ` +
              `${y1 - 2 * em} ${from.x + em} ${y1}`
            : level
                ? `M ${from.x} ${y1} C ${from.x + dx / 4} ${y1 - bend} ${to.x - dx / 4} ` +
                  `${y1 - bend} ${to.x} ${y2}`
                : `M ${from.x} ${y1} L ${to.x} ${y2}`;
        return ui.draw("path", { d: path, class: "arrow", "marker-end": "url(#head)" });
    }

    function picture(model, WIDTH) {
        const all = arrows_of(model), arrows = all.slice(0, MOST);
        if (!arrows.length)
            return null;
        const above = [...new Set(arrows.map((w) => w.block))];
        const below = [...new Set(arrows.filter((w) => w.writer !== null &&
            !above.includes(w.writer)).map((w) => w.writer))];
        const unknown = arrows.some((w) => w.writer === null);
        const at = new Map(), em = ui.em();
        const spread = (keys, y) => keys.forEach((key, k) => {
            const share = WIDTH / keys.length;
            at.set(key, { x: share * (k + 0.5), y, half: Math.min(3.6 * em, share / 2 - 4) });
        });
        const beneath = unknown ? [...below, null] : below;
        spread(above, 3.6 * em);
        spread(beneath, 7.7 * em);
        const started = (block) => arrows.find((w) => w.writer === block).writer_state;
        const short = WIDTH / above.length < 6 * em;
        const svg = ui.draw("svg", { viewBox: `0 0 ${WIDTH} ${beneath.length ? 9 * em : 5 * em}`,
                                     class: "waits", role: "img",
                                     "aria-label": arrows.map((w) => w.text).join("; ") },
            ui.draw("defs", null, ui.draw("marker", { id: "head", viewBox: "0 0 10 10", refX: 8,
                refY: 5, markerWidth: 0.9 * em, markerHeight: 0.9 * em,
                markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" },
            ui.draw("path", { d: "M 0 0 L 10 5 L 0 10 z", class: "tip" }))),
            arrows.map((w) => arrow(at.get(w.block), at.get(w.writer))),
            above.map((block) => node(at.get(block), short ? String(block) : `block ${block}`,
                short ? "" : `line ${arrows.find((w) => w.block === block).line}`, "waiting_node")),
            below.map((block) => node(at.get(block), `block ${block}`,
                started(block) === "waiting" ? "not started" : started(block), "missing_node")),
            unknown ? node(at.get(null), "nobody", "that is known", "missing_node") : "");
        return ui.make("figure", null, ui.make("figcaption", null,
            all.length > MOST ? `Who waits for whom (the first ${MOST} of ${all.length})`
                              : "Who waits for whom"), svg);
    }

    function sentences(model) {
        const all = arrows_of(model);
        if (!all.length)
            return null;
        return ui.make("ul", { class: "waits_text" },
                       all.slice(0, 6).map((w) => ui.make("li", null, w.text)),
                       all.length > 6 ? ui.make("li", null, `and ${all.length - 6} more`) : "");
    }

    return { is_known, picture, sentences };
})();
