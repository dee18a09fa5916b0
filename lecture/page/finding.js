/*
 * finding.js: the view that asks what will happen, and then says it: the verdict and the finding,
 * in the words of `make grade`.
 *
 * Until model.revealed, only the question is there, with a guess to make. It is revealed by the
 * button, by its key, or when a step reaches a finding. With other settings than the recorded ones
 * the verdict may not hold: then this run's own findings and answer are shown.
 */
"use strict";

const finding_view = (() => {
    const GUESSES = [["PASS", "It passes"], ["WRONG", "A wrong answer"], ["RACE", "A race"],
                     ["DEADLOCK", "It waits for ever"], ["OUT_OF_BOUNDS", "Wrong memory"],
                     ["OVER_BUDGET", "Right, but too much work"]];
    const KEYS = { part: "part", where: "where", seen: "seen", cause: "why", do: "do" };
    let guess = "", guessed = null; /* for the program `guessed` */

    function verdict_of(model) {
        const { run, loaded, settings } = model;
        if (settings.recorded)
            return loaded.verdict;
        const worst = run.findings.find((f) => !f.note);
        return worst ? worst.kind.toUpperCase().replace(/ /g, "_")
            : run.answer && !run.answer.right ? "WRONG"
            : run.answer && run.end === "finished" ? "PASS" : "no answer";
    }

    const plain = (verdict) => (GUESSES.find(([name]) => name === verdict) || ["", ""])[1];

    function title(model) {
        if (model.revealed)
            return verdict_of(model).replace(/_/g, " ");
        return model.program.question ||
            (model.program.kind === "solution" ? "Think about" : "What do you think happens?");
    }

    function name(model) { return model.revealed ? "Answer" : "Question"; }

    /* ---- before ------------------------------------------------------------------------------ */

    function changes_note(model) {
        const count = model.program.kind === "twin" ? source.changes() : 0;
        return count ? `${ui.plural(count, "line")} differ from the solution; they are marked in ` +
            "the source." : "";
    }

    function question(model) {
        if (guessed !== model.program) {
            guessed = model.program;
            guess = "";
        }
        const solved = model.program.kind === "solution";
        return [
            ui.make("p", { class: "note" }, `${model.loaded.title}, n = ${model.loaded.n}. `,
                    changes_note(model)),
            solved ? think(model) : ui.make("fieldset", { class: "guesses" },
                ui.make("legend", null, "What do you think happens?"),
                GUESSES.map(([value, words]) => ui.make("label", null, ui.make("input", {
                    type: "radio", name: "guess", value, id: `guess_${value}`,
                    checked: value === guess, onchange: () => { guess = value; } }),
                words))),
            ui.make("p", null, ui.make("button", { id: "reveal", class: "main",
                onclick: () => model.reveal() },
                solved ? "Run it to the end " : "Show what happens ", ui.make("kbd", null, "r"))),
        ];
    }

    /* ---- after ------------------------------------------------------------------------------- */

    function said(rows) {
        return ui.make("dl", { class: "said" }, rows.map(([key, text]) => [
            ui.make("dt", null, KEYS[key] || key), ui.make("dd", null, text)]));
    }

    function rows_of(finding) {
        return [["where", `${finding.file}:${finding.line}, block ${finding.block}, ` +
                          `warp ${finding.warp}, lane ${finding.lane}`],
                ["seen", `${finding.kind}: ${finding.message}`],
                ...(finding.advice ? [["do", finding.advice]] : [])];
    }

    function step_button(model, finding, k) {
        const { step } = finding;
        return step === null ? "" : ui.make("button", { id: `go_${k}`,
            onclick: () => model.go(step), disabled: step === model.state.step },
        `Step ${ui.number(step)}`);
    }

    function other_findings(model, first) {
        const { findings } = model.run;
        return findings.slice(first).length === 0 ? "" : ui.make("details", null,
            ui.make("summary", null, `${findings.length - first} more`),
            findings.slice(first).map((f, k) => [said(rows_of(f)), step_button(model, f, k + 1)]));
    }

    function answer(model, width) {
        const { run, loaded, settings } = model, verdict = verdict_of(model);
        const heads = [], first = run.findings[0];
        const graph = waits_view.picture(model, width - 8);
        const recorded = settings.recorded && loaded.said.length > 0;

        if (guess && guessed === model.program)
            heads.push(ui.make("p", { class: "note" }, guess === verdict
                ? `As you said: ${plain(guess).toLowerCase()}.`
                : `You said: ${plain(guess).toLowerCase()}.`));
        if (!settings.recorded)
            heads.push(ui.make("p", { class: "note" },
                               "With these knobs, not as it was recorded:"));
        const rows = recorded ? loaded.said : first ? rows_of(first)
            : run.answer && !run.answer.right ? [["seen", run.answer.what]] : [];
        return [
            heads,
            graph || "",
            rows.length ? said(rows)
                : ui.make("p", { class: "big" }, verdict === "PASS"
                    ? "Every answer is right, no thread disturbs another, and the work is within " +
                      "its limits." : "Nothing was found."),
            ui.make("p", { class: "tools" }, first ? step_button(model, first, 0) : "",
                first && first.count > 1 ? ` found ${ui.number(first.count)} times` : ""),
            graph ? waits_view.sentences(model) : "",
            other_findings(model, recorded || first ? 1 : 0),
            verdict === "PASS" && loaded.said.length === 0 ? think(model) : "",
        ];
    }

    function think(model) {
        const questions = readme.questions(model.lab.readme);
        return questions.length ? ui.make("ol", { class: "think", "aria-label": "Think about" },
            questions.map((q) => ui.make("li", null, q))) : "";
    }

    function draw(box, model) {
        ui.fill(box, model.revealed ? answer(model, box.clientWidth) : question(model));
    }

    /* For the live region: what a step has found. */
    function announce(model) {
        const k = model.state.findings.find(
            (f) => model.run.findings[f].step === model.state.step);
        if (k === undefined)
            return "";
        const { kind, message } = model.run.findings[k];
        return `${kind}: ${message}`;
    }

    return { id: "finding", name, title, draw, announce, verdict_of };
})();
