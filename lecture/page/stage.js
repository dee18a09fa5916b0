/*
 * stage.js: the page. It opens the engine, keeps what is shown (the model), and takes the page from
 * step to step.
 *
 * The model has: lab, program, loaded, settings, run, state, network (null until it is asked for),
 * revealed, engine, and what views may call: go(step), set(words), reveal(), show().
 * A view is { id, name, title(model), draw(box, model) }; wide: below the source, not beside it.
 * The address keeps program, step and view, so that a link leads to the same place.
 *
 * document.documentElement.dataset.ready is the time to the first step in milliseconds, from the
 * start of loading; .failed is what went wrong. The tests read them.
 */
"use strict";

const stage = (() => {
    const VIEWS = [finding_view, lanes_view, memory_view, blocks_view, lookback_view, network_view,
                   counts_view];
    const at = (id) => document.getElementById(id);
    const model = { lab: null, program: null, state: null, revealed: false, network: null };
    let view = finding_view, playing = 0, bytes = null;

    const views_now = () => VIEWS.filter((v) => !v.has || v.has(model));

    /* ---- what is shown ----------------------------------------------------------------------- */

    function sentence() {
        const { state, run } = model, where = `Step ${ui.number(state.step)} of ` +
            `${ui.number(run.steps)}`;
        if (state.step === 0)
            return `${where}: nothing has run yet`;
        const place = run.launches.length > 1 ? `launch ${state.launch + 1}, ` : "";
        const active = ui.lanes(state.mask) === 32 ? "all lanes" : ui.range(state.mask);
        const line = state.line ? `line ${state.line}` : state.kernel;
        const end = state.step === run.steps && run.end === "stopped"
            ? "; the kernel was stopped here" : "";
        return `${where}: ${place}block ${state.block}, warp ${state.warp}, ${line}, ${active}` +
            `${state.waits ? ", waits" : ""}${end}`;
    }

    function tabs() {
        ui.fill(at("views"), views_now().map((v, k) => ui.make("button", {
            id: `view_${v.id}`, role: "tab", "aria-selected": String(v === view),
            "aria-controls": "view", tabindex: v === view ? 0 : -1,
            onclick: (e) => {
                choose(v);
                if (e.detail) /* by a mouse: arrow keys go on to step */
                    at("view").focus({ preventScroll: true });
            },
            onkeydown: (e) => {
                const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
                if (!by)
                    return;
                e.preventDefault();
                e.stopPropagation();
                const all = views_now(), k = all.indexOf(v) + by + all.length;
                const next = all[k % all.length];
                choose(next);
                at(`view_${next.id}`).focus();
            },
        }, ui.make("kbd", null, String(k + 1)), typeof v.name === "function" ? v.name(model)
            : v.name)));
    }

    function show() {
        const { state } = model;

        document.body.dataset.view = view.id;
        document.body.classList.toggle("wide", Boolean(view.wide));
        tabs();
        if (view !== counts_view)
            source.cost(model.run, "");
        at("point").textContent = view.title(model);
        at("point").className = view === finding_view && model.revealed
            ? `verdict ${finding_view.verdict_of(model) === "PASS" ? "good" : "bad"}` : "";
        const found = model.revealed ? finding_view.announce(model) : "";
        if (at("found").textContent !== found)
            at("found").textContent = found;
        view.draw(at("view"), model);
        at("view").setAttribute("aria-labelledby", `view_${view.id}`);
        source.mark(model);
        if (state.step === 0)
            source.show_start(model.run.launches[0]?.kernel);
        at("now").textContent = sentence();
        lanes_view.strip(at("mask"), state);
        at("where").max = model.run.steps;
        at("where").value = state.step;
        at("where").setAttribute("aria-valuetext", `step ${state.step}`);
        at("changed").hidden = model.settings.recorded;
        remember();
    }

    function choose(next) {
        view = next;
        if (view === memory_view)
            go(model.state.step);
        else
            show();
    }

    function remember() {
        const words = new URLSearchParams({ program: String(model.lab.programs.indexOf(
            model.program)), step: String(model.state.step), view: view.id });
        try {
            history.replaceState(null, "", `#${words}`);
        } catch (refused) { /* a browser that keeps addresses of files as they are */ }
    }

    /* ---- from step to step ------------------------------------------------------------------- */

    /* Asks the engine; one that has stopped is replaced, and the page goes on with its program. */
    function ask(question) {
        try {
            return question(model.engine);
        } catch (error) {
            pause();
            at("error").textContent = error.message;
            at("error").hidden = false;
            if (error.fatal)
                lecture.open(bytes).then((engine) => {
                    model.engine = engine;
                    return open_program(model.program, 0);
                });
            return null;
        }
    }

    /* A state is made by a run up to its step, which makes those before it on its way: so what one
       may step back to is kept with it, and while nobody presses a key, what comes next. By the
       part of buffers that is viewed, and step; the latest last. */
    const kept = new Map(), KEPT = 100, AHEAD = 6;
    let viewed = 0, idle = 0;

    const key_of = (step) => `${viewed} ${step}`;

    function forget_states() {
        clearTimeout(idle);
        kept.clear();
        viewed = model.settings.view;
    }

    /* Steps to which keys lead from there in one direction, by instruction and by line. */
    function near(step, direction) {
        const here = at("follow").checked && step ? model.engine.steps(step, 1) : null;
        const block = here ? here.block[0] : -1, warp = here ? here.warp[0] : -1;
        const steps = [];
        for (const what of ["instruction", "line"])
            for (let k = 0, from = step; k < AHEAD && from !== null; k++) {
                from = model.engine.find(from, direction, what, block, warp);
                if (from === null && direction < 0)
                    steps.push(0);
                else if (from !== null)
                    steps.push(from);
            }
        return steps;
    }

    function keep_states(steps) {
        const missing = [...new Set(steps)].filter((k) => !kept.has(key_of(k)));
        if (missing.length)
            for (const state of model.engine.states(missing.sort((a, b) => a - b)))
                kept.set(key_of(state.step), state);
        for (const oldest of kept.keys()) {
            if (kept.size <= KEPT)
                break;
            kept.delete(oldest);
        }
    }

    function state_at(step) {
        if (!kept.has(key_of(step)))
            ask(() => keep_states([...near(step, -1), step]));
        return kept.get(key_of(step));
    }

    function go(step) {
        const to = Math.max(0, Math.min(model.run.steps, Math.round(step)));
        let state = state_at(to);
        const part = state && view === memory_view ? memory_view.part(state) : null;
        if (part !== null) {
            ask((engine) => engine.set(`view=${part}`));
            viewed = part;
            state = state_at(to);
        }
        if (!state)
            return;
        clearTimeout(idle);
        idle = setTimeout(() => ask(() => keep_states(near(to, 1))), 60);
        at("error").hidden = true;
        model.state = state;
        const found = state.findings.some((k) => model.run.findings[k].step === to &&
                                                 !model.run.findings[k].note);
        if (found || (to === model.run.steps && model.run.waits.length))
            model.revealed = true;
        show();
    }

    function move(what, direction) {
        const { state } = model, follow = at("follow").checked && state.block !== null;
        const step = ask((engine) => engine.find(state.step, direction, what,
            follow ? state.block : -1, follow ? state.warp : -1));
        if (step)
            go(step);
        else if (what === "finding" && direction > 0)
            go(model.run.steps);
        else if (direction < 0)
            go(0);
        else
            pause();
    }

    function pause() {
        clearInterval(playing);
        playing = 0;
        at("play").setAttribute("aria-pressed", "false");
        at("now").setAttribute("aria-live", "polite");
    }

    function play() {
        if (playing) {
            pause();
            return;
        }
        at("play").setAttribute("aria-pressed", "true");
        at("now").setAttribute("aria-live", "off"); /* too quick to be read out */
        playing = setInterval(() => {
            move("line", 1);
            if (model.state.step >= model.run.steps)
                pause();
        }, 350);
    }

    function reveal() {
        model.revealed = true;
        const first = model.run.findings.find((f) => !f.note && f.step !== null);
        choose(finding_view);
        go(first ? first.step : model.run.steps);
    }

    function set(words) {
        const settings = ask((engine) => engine.set(words));
        if (!settings)
            return;
        model.settings = settings;
        model.network = null;
        forget_states();
        const run = ask((engine) => engine.run());
        if (run) {
            model.run = run;
            go(Math.min(model.state.step, run.steps));
        }
    }

    /* ---- programs ---------------------------------------------------------------------------- */

    /* The files of a recording, without the engine: "source NAME BYTES", then the text. */
    function files_of(recording) {
        const text = new TextDecoder(), files = [];
        const line_end = (k) => recording.indexOf(10, k);
        for (let k = 0; k >= 0 && k < recording.length;) {
            const end = line_end(k), words = text.decode(recording.subarray(k, end)).split(" ");
            k = end + 1;
            if (words[0] === "source") {
                files.push({ file: words[1], text: text.decode(recording.subarray(k,
                    k + Number(words[2]))) });
                k += Number(words[2]) + 1;
            } else if (words[0] === "module" || end < 0) {
                break;
            }
        }
        return files;
    }

    async function open_program(program, step) {
        pause();
        const recording = await lecture.unzip(program.recording);
        const solution = model.lab.programs.find((p) => p.kind === "solution");
        const before = program.kind === "twin" && solution
            ? files_of(await lecture.unzip(solution.recording)) : null;
        const loaded = ask((engine) => engine.load(recording));
        const run = loaded && ask((engine) => engine.run());
        if (!run)
            return;
        Object.assign(model, { program, loaded, settings: loaded.settings, run, network: null,
                               revealed: false });
        forget_states();
        source.load(loaded.sources, before);
        at("program").value = String(model.lab.programs.indexOf(program));
        if (view.has && !views_now().includes(view))
            view = finding_view;
        go(step);
    }

    /* The titles of the parts stand in the recordings: read when the page is up. */
    async function name_solutions() {
        for (const [k, program] of model.lab.programs.entries()) {
            if (program.kind === "twin")
                continue;
            const head = new TextDecoder().decode((await lecture.unzip(program.recording))
                .subarray(0, 400));
            const [, n, title] = /^part \S+ (\d+) (.*)$/m.exec(head) || [];
            if (title)
                at("program").options[k].textContent =
                    `${program.kind === "own" ? "My file" : "Solution"}: ${title}, n = ${n}`;
        }
    }

    function name_of(program) {
        const same = model.lab.programs.filter((p) => p.kind === program.kind);
        const which = same.length > 1 && program.kind !== "twin"
            ? ` ${same.indexOf(program) + 1}` : "";
        return program.kind === "solution" ? `Solution${which}`
            : program.kind === "own" ? `My file${which}`
            : `${program.question || "What if ...?"} (${program.name.replace(/_/g, " ")})`;
    }

    function step_program(by) {
        const { programs } = model.lab, k = programs.indexOf(model.program) + by;
        if (programs[k])
            open_program(programs[k], 0);
    }

    /* ---- the page ---------------------------------------------------------------------------- */

    function change_size(by) {
        const style = document.documentElement.style;
        const now = Number(style.getPropertyValue("--zoom") || 1);
        style.setProperty("--zoom", String(Math.max(0.6, Math.min(2, now + by)).toFixed(1)));
        show();
    }

    function change_theme() {
        const root = document.documentElement;
        root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
        if (model.state)
            show();
    }

    const actions = {
        next: () => move("instruction", 1), back: () => move("instruction", -1),
        next_line: () => move("line", 1), back_line: () => move("line", -1),
        next_barrier: () => move("barrier", 1), back_barrier: () => move("barrier", -1),
        next_finding: () => move("finding", 1), back_finding: () => move("finding", -1),
        first: () => go(0), last: () => go(model.run.steps),
        play, reveal,
        follow: () => { at("follow").checked = !at("follow").checked; },
        view: (key) => { const v = views_now()[Number(key) - 1]; if (v) choose(v); },
        next_program: () => step_program(1), back_program: () => step_program(-1),
        larger: () => change_size(0.1), smaller: () => change_size(-0.1),
        dark: change_theme,
        index: () => { location.href = "index.html"; },
        help: () => (at("help").open ? at("help").close() : at("help").showModal()),
    };

    /* A lab without programs: what its page says of the idea. */
    function show_words(lab) {
        const part = (name) => {
            const nodes = readme.section(lab.readme, name);
            return nodes.length ? ui.make("section", null, ui.make("h2", null,
                name.replace(/\.$/, "")), nodes) : "";
        };
        document.body.classList.add("words");
        const k = lab.labs.findIndex((l) => l.lab === lab.lab), next = lab.labs[k + 1];
        ui.fill(document.querySelector("main"),
            ui.make("p", { class: "note" }, lab.gpus === "several"
                ? "There is nothing to step through here: the lab runs on several GPUs, and the " +
                  `engine of a page has one. make grade LAB=${lab.number} runs it.`
                : "There is nothing to step through here: this is the idea of the lab, and what " +
                  "to ask."),
            part("Goal."), part("You will learn"), part("Think about"),
            next ? ui.make("p", null, ui.make("a", { href: `${next.lab}.html` },
                `Next: ${next.lab.slice(0, 2)} ${next.title}`)) : "");
    }

    async function main() {
        const read = (id) => at(id).textContent;
        const lab = model.lab = JSON.parse(read("lab"));

        if (matchMedia("(prefers-color-scheme: dark)").matches)
            document.documentElement.dataset.theme = "dark";
        at("title").textContent = `${lab.number} ${lab.title}`;
        at("keys").append(...keys.help());
        at("theme").onclick = change_theme;
        at("help_button").onclick = actions.help;
        Object.assign(model, { go, set, reveal, show });
        if (!lab.programs.length) {
            keys.listen({ ...Object.fromEntries(Object.keys(actions).map((k) => [k, () => {}])),
                          dark: change_theme, index: actions.index, help: actions.help });
            show_words(lab);
        } else {
            at("program").append(...lab.programs.map((p, k) =>
                ui.make("option", { value: String(k) }, name_of(p))));
            at("program").onchange = (e) => open_program(lab.programs[Number(e.target.value)], 0);
            for (const button of document.querySelectorAll("#controls button[data-action]"))
                button.onclick = () => actions[button.dataset.action]();
            at("where").oninput = (e) => go(Number(e.target.value));
            at("changed").onclick = () => set("reset=1");
            window.addEventListener("resize", show);
            bytes = await lecture.unzip(read("engine"));
            model.engine = await lecture.open(bytes);
            const words = new URLSearchParams(location.hash.slice(1));
            view = VIEWS.find((v) => v.id === words.get("view")) || view;
            await open_program(lab.programs[Number(words.get("program"))] || lab.programs[0],
                               Number(words.get("step")) || 0);
            keys.listen(actions);
            name_solutions();
        }
        document.documentElement.dataset.ready = String(Math.round(performance.now()));
    }

    main().catch((error) => {
        document.documentElement.dataset.failed = error.message;
        at("error").textContent =
            `This page needs a newer browser, or is damaged: ${error.message}`;
        at("error").hidden = false;
    });

    return { model, actions };
})();
