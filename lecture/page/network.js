/*
 * network.js: the view of the additions of a block: the network as it grows.
 *
 * A column is an element, a row a step of depth: a sum of the inputs a to b stands in column b,
 * below both of its operands. What has been added up to the model's step is drawn strong, the
 * newest in another colour; the rest is pale. Only sums of one block (the model's, or the last that ran)
 * are drawn, and of them those that an output depends on. What is no input (padding, another
 * block's sum) stands in the column of the thread that adds it.
 */
"use strict";

const network_view = (() => {
    let zoom = null, known = null, cache = null; /* zoom: columns; 0: all; null: as fits */

    /* Values that some output depends on: a padded tree also adds what nobody needs. */
    function needed(network) {
        const all = new Set(network.outputs.map(([, value]) => value));
        for (let k = network.sums.length - 1; k >= 0; k--) {
            const [id, left, right] = network.sums[k];
            if (all.has(id))
                all.add(left).add(right);
        }
        return all;
    }

    /* The sums of a block, with their places; made once a run. */
    function layout(network, block) {
        if (cache && cache.network === network && cache.block === block)
            return cache;
        const inputs = new Map(network.inputs.map(([id, , element]) => [id, element]));
        const made = network.sums.filter((s) => s[4] === block), wanted = needed(network);
        const useful = made.filter(([id]) => wanted.has(id)), sums = useful.length ? useful : made;
        const own = new Set(sums.map((s) => s[0])), place = new Map(), nodes = [];
        let first = Infinity;

        for (const [, left, right] of sums)
            for (const id of [left, right])
                if (!own.has(id) && inputs.has(id))
                    first = Math.min(first, inputs.get(id));
        if (first === Infinity)
            first = 0;
        const put = (id, column, row) => {
            place.set(id, { column, row });
            return place.get(id);
        };
        const at = (id, thread) => place.get(id) ||
            put(id, inputs.has(id) ? inputs.get(id) - first : thread, 0);
        for (const [id, left, right, depth, , thread, line, step] of sums) {
            const a = at(left, thread), b = at(right, thread);
            const row = Math.max(a.row, b.row) + 1;
            nodes.push({ ...put(id, Math.max(a.column, b.column), row), a, b, depth, line, step });
        }
        const columns = 1 + ui.most([...place.values()].map((p) => p.column));
        cache = { network, block, nodes, columns,
                  leaves: [...place.values()].filter((p) => !p.row) };
        return cache;
    }

    function block_of(model) {
        const { state, network } = model;
        const has = (block) => network.sums.some((s) => s[4] === block);
        if (state.block !== null && has(state.block))
            known = state.block;
        else if (known === null || !has(known))
            known = network.sums.length ? network.sums[0][4] : 0;
        return known;
    }

    function title(model) {
        model.network = model.network || model.engine.network();
        const { step } = model.state, { nodes } = layout(model.network, block_of(model));
        const made = nodes.filter((n) => n.step <= step);
        const depth = ui.most(made.map((n) => n.row));
        return `${ui.plural(made.length, "addition")} of block ${known} so far, depth ${depth}`;
    }

    /* A part of a large one, if the part is like the whole: a stride of half a block is not. */
    function columns_now({ nodes, columns }) {
        if (zoom !== null)
            return Math.min(zoom, columns);
        const few = nodes.filter((n) => n.column < 32).length;
        return columns > 64 && few > 16 * nodes.length / columns ? 32 : 0;
    }

    function paint(canvas, model, room) {
        const { nodes, leaves, columns } = layout(model.network, known);
        const shown = columns_now(cache) || columns;
        const rows = ui.most(nodes.filter((n) => n.column < shown).map((n) => n.row)) || 1;
        canvas.style.height = `${Math.max(10 * ui.em(), room)}px`;
        const box = canvas.getBoundingClientRect(), scale = window.devicePixelRatio || 1;
        canvas.width = box.width * scale;
        canvas.height = box.height * scale;
        const pen = canvas.getContext("2d");
        pen.scale(scale, scale);
        const wide = box.width / shown, high = (box.height - 2.2 * ui.em()) / rows;
        const size = Math.max(1.2, Math.min(11, wide * 0.3, high * 0.22));
        const x = (p) => (p.column + 0.5) * wide, y = (p) => 1.5 * ui.em() + p.row * high;
        const step = model.state.step;
        const newest = ui.most(nodes.filter((n) => n.step <= step).map((n) => n.step));
        const kind = (n) => (n.step > step ? 0 : n.step === newest ? 2 : 1);
        const colours = ["--pale", "--strong", "--accent"].map(ui.colour);

        for (let which = 0; which < 3; which++) {
            pen.strokeStyle = pen.fillStyle = colours[which];
            pen.lineWidth = which === 2 ? Math.max(2, size / 3) : Math.max(0.5, size / 5);
            for (const n of nodes) {
                if (kind(n) !== which || n.column >= shown)
                    continue;
                pen.beginPath();
                for (const from of [n.a, n.b]) {
                    pen.moveTo(x(from), y(from));
                    pen.lineTo(x(from), y({ row: n.row - 1 }));
                    pen.lineTo(x(n), y(n));
                }
                pen.stroke();
                pen.beginPath();
                pen.arc(x(n), y(n), which === 2 ? size * 1.3 : size, 0, 7);
                pen.fill();
            }
        }
        pen.fillStyle = ui.colour("--strong");
        pen.font = `${0.85 * ui.em()}px sans-serif`;
        pen.textAlign = "center";
        const every = Math.ceil(2 * ui.em() / wide);
        for (const leaf of leaves)
            if (leaf.column < shown) {
                pen.fillRect(x(leaf) - size, y(leaf) - size, 2 * size, 2 * size);
                if (leaf.column % every === 0)
                    pen.fillText(String(leaf.column), x(leaf), ui.em() * 0.75);
            }
    }

    function draw(box, model) {
        const block = block_of(model), { columns, nodes } = layout(model.network, block);
        if (!nodes.length) {
            ui.fill(box, ui.make("p", null, "This block adds nothing that can be drawn."));
            return;
        }
        const canvas = ui.make("canvas", { class: "network", role: "img",
            "aria-label": `${title(model)}, of ${nodes.length} in all` });
        const choose = (count, words) => (count && count >= columns ? "" : ui.make("button", {
            id: `zoom_${count}`, "aria-pressed": String(columns_now(cache) === count),
            onclick: () => { zoom = count; model.show(); } }, words));
        ui.fill(box, ui.make("p", { class: "tools" }, "Elements ", choose(16, "16"),
                             choose(32, "32"), choose(64, "64"), choose(0, `all ${columns}`)),
                canvas);
        paint(canvas, model, box.clientHeight - 3 * ui.em());
    }

    /* Sums of integers are indices, most of them. */
    const has = (model) => model.run !== undefined && model.run.counts.float_adds > 0;

    return { id: "network", name: "Additions", wide: true, title, draw, has };
})();
