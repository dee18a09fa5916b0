/*
 * pages.js: does a page work in a browser, from a file?
 *
 *   node pages.js [--firefox] [--shots FOLDER] [--table] PAGE.html...
 *
 * Of each page: it opens without an error; each program steps forward, back to the same picture,
 * and to the finding of a wrong twin, in the words of its recording; each view draws; nothing but
 * source and picture scrolls on a projector's two sizes; the keys and the labels for a screen
 * reader are there. --table: size, time to the first step and of a step, as rows of Markdown;
 * --shots: a picture of each view of each page.
 *
 * Chromium, or with --firefox Firefox. Exit status: 0 all do, 1 some do not, 77 there is no such
 * browser.
 */
"use strict";

const fs = require("fs");
const path = require("path");
const { execFileSync } = require("child_process");
const firefox = process.argv.includes("--firefox");
const { start, program } = require(firefox ? "./firefox.js" : "./browser.js");

const SIZES = [[1920, 1080], [1280, 720]];
const WAIT = 30000; /* milliseconds for a page to be ready */
let failures = 0, checks = 0;

function check(page, what, holds, seen = "") {
    checks++;
    if (!holds) {
        failures++;
        console.log(`${page.name}: ${what}${seen === "" ? "" : `: ${seen}`}`);
    }
}

/* ---- what the tests do on a page ------------------------------------------------------------- */

const text = (page, id) => page.evaluate(`document.getElementById("${id}").textContent`);
const step = (page) => page.evaluate("stage.model.state.step");

async function ready(page) {
    for (let waited = 0; waited < WAIT; waited += 50) {
        const state = await page.evaluate(
            "JSON.stringify(document.documentElement ? document.documentElement.dataset : {})");
        const { ready: time, failed } = JSON.parse(state);
        if (failed)
            throw new Error(failed);
        if (time)
            return Number(time);
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("it is not ready");
}

async function choose(page, k) {
    await page.evaluate(`(async () => {
        const choice = document.getElementById("program");
        choice.value = "${k}";
        await choice.onchange({ target: choice });
    })()`);
}

/* What is shown: two visits to a step are to show the same. */
const shown = (page) => page.evaluate(`["point", "view", "now", "mask"].map(
    (id) => document.getElementById(id).innerHTML).join("\\n") +
    (document.querySelector(".here") ? document.querySelector(".here").id : "")`);

async function try_steps(page, name) {
    await page.key("Home");
    await page.key("2");
    for (let k = 0; k < 3; k++)
        await page.key("ArrowRight");
    check(page, `${name}: three steps forward`, await step(page) === 3, await step(page));
    const third = await shown(page);
    await page.key("ArrowRight");
    const fourth = await shown(page);
    check(page, `${name}: a step changes nothing`, third !== fourth);
    await page.key("ArrowLeft");
    check(page, `${name}: a step back shows something else`, await shown(page) === third);
    await page.key("ArrowDown");
    await page.key("b");
    const barrier = await step(page);
    await page.key("ArrowUp");
    const before = await step(page);
    check(page, `${name}: a line back from step ${barrier}`, before < barrier || barrier === 0,
          before);
    check(page, `${name}: no line is marked`, await page.evaluate(
        "stage.model.state.line === 0 || document.querySelectorAll('.here').length === 1 || " +
        "!stage.model.loaded.sources.some((s) => s.file === stage.model.state.file)"));
}

/* Back by instruction and by line from the middle, the program is not run again: all is kept. */
async function try_back(page, name) {
    const asked = await page.evaluate(`(() => {
        const { engine, run } = stage.model, { states } = engine;
        let asked = 0;
        stage.model.go(Math.ceil(run.steps / 2));
        engine.states = (steps) => { asked++; return states(steps); };
        for (let k = 0; k < 5; k++)
            stage.actions.back();
        stage.model.go(Math.ceil(run.steps / 2));
        for (let k = 0; k < 5; k++)
            stage.actions.back_line();
        engine.states = states;
        return asked;
    })()`);
    check(page, `${name}: a step back runs the program again`, asked <= 2, `${asked} times`);
}

/* Goes to a step that accesses memory which is shown: is it marked there? */
const touches = `(() => {
    const { engine, run } = stage.model, from = Math.ceil(run.steps / 2);
    const { flags } = engine.steps(from, 400);
    for (const [k, flag] of flags.entries()) {
        if (!(flag & 48))
            continue;
        stage.model.go(from + k);
        const { access } = stage.model.state;
        if (access && (access.buffer || access.space === "shared"))
            return document.querySelectorAll("#view td.read, #view td.written").length > 0;
    }
    return true;
})()`;

async function try_views(page, name, shots) {
    const views = await page.evaluate(
        "[...document.querySelectorAll('#views button')].map((b) => b.id.slice(5))");
    await page.evaluate("stage.model.go(Math.ceil(stage.model.run.steps * 0.6))");
    for (const [k, view] of views.entries()) {
        await page.key(String(k + 1));
        check(page, `${name}: ${view} is not chosen by ${k + 1}`, await page.evaluate(
            `document.getElementById("view_${view}").getAttribute("aria-selected") === "true"`));
        check(page, `${name}: ${view} has no title`, (await text(page, "point")).length > 2);
        const drawn = {
            finding: "document.querySelectorAll('#view .said, #view .guesses, #view .think, " +
                     "#view .big').length > 0",
            lanes: "document.querySelectorAll('#view .lanes li').length === 32",
            memory: "document.querySelectorAll('#view .memory td, #view > p').length > 0",
            blocks: "document.querySelectorAll('#view .timeline rect').length > 0",
            lookback: "document.querySelectorAll('#view .tile').length > 0",
            network: `(() => {
                const canvas = document.querySelector('#view canvas');
                if (!canvas)
                    return stage.model.network.sums.length === 0;
                const pen = canvas.getContext("2d");
                const all = pen.getImageData(0, 0, canvas.width, canvas.height).data;
                return all.some((v) => v !== 0);
            })()`,
            counts: "document.querySelectorAll('#view .gates tr').length > 1",
        }[view];
        check(page, `${name}: ${view} draws nothing`, await page.evaluate(drawn));
        if (view === "memory")
            check(page, `${name}: what a step accesses is not marked`,
                  await page.evaluate(touches));
        if (shots)
            await page.screenshot(path.join(shots, `${page.name}-${name}-${view}.png`));
    }
    await page.key("1");
}

/* A wrong program's finding, in the words of the recording; before, nothing of it is there. */
async function try_finding(page, name) {
    const loaded = await page.evaluate(
        "({ verdict: stage.model.loaded.verdict, said: stage.model.loaded.said })");
    await page.key("Home");
    await page.key("1");
    check(page, `${name}: the verdict is shown before it is asked for`,
          !(await text(page, "picture")).includes(loaded.verdict));
    await page.key("r");
    check(page, `${name}: another verdict than ${loaded.verdict}`,
          await text(page, "point") === loaded.verdict.replace(/_/g, " "),
          await text(page, "point"));
    const view = await text(page, "view");
    for (const [key, words] of loaded.said)
        check(page, `${name}: '${key}' is not as make grade has it`, view.includes(words), view);
    check(page, `${name}: the live region is silent`, await page.evaluate(
        "finding_view.announce(stage.model) === '' || " +
        "document.getElementById('found').textContent.length > 0"));
    if (await page.evaluate("stage.model.run.waits.length > 0"))
        check(page, `${name}: no graph of who waits for whom`, await page.evaluate(
            "document.querySelectorAll('#view .waits .node').length > 0"));
}

async function try_sizes(page, shots) {
    for (const [width, height] of SIZES) {
        await page.size(width, height);
        const box = JSON.parse(await page.evaluate(`JSON.stringify((() => {
            const root = document.documentElement;
            const cut = [...document.querySelectorAll("header *, #views *, footer *")].filter(
                (e) => !e.closest(".word") && e.getClientRects().length &&
                    (e.getBoundingClientRect().right > innerWidth + 1 ||
                     e.getBoundingClientRect().bottom > innerHeight + 1));
            return { over: root.scrollHeight - innerHeight, wide: root.scrollWidth - innerWidth,
                     main: document.querySelector("main").clientHeight / innerHeight,
                     type: parseFloat(getComputedStyle(root).fontSize), cut: cut.map((e) => e.id) };
        })())`));
        const size = `${width}x${height}`;
        check(page, `${size}: the page scrolls`, box.over <= 0 && box.wide <= 0,
              `${box.over}, ${box.wide}`);
        check(page, `${size}: what is cut`, box.cut.length === 0, box.cut.join(" "));
        check(page, `${size}: source and picture are small`, box.main > 0.6, box.main);
        check(page, `${size}: the type is small`, box.type >= height / 42, box.type);
        if (shots)
            await page.screenshot(path.join(shots, `${page.name}-${size}.png`));
    }
}

/* What one needs without a mouse, or without seeing: names, roles, the order of focus. */
async function try_access(page) {
    const nameless = await page.evaluate(`[...document.querySelectorAll(
        "button, select, input, canvas, svg[role=img], [role=tabpanel], section")].filter((e) =>
        !(e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") ||
          e.textContent.trim() || e.closest("label"))).map((e) => e.outerHTML.slice(0, 80))
        .join("\\n")`);
    check(page, "without a name", nameless === "", nameless);
    await page.key("?");
    check(page, "? shows no keys", await page.evaluate("document.getElementById('help').open"));
    await page.key("?");
    check(page, "? does not close the keys",
          !await page.evaluate("document.getElementById('help').open"));
    await page.key("d");
    check(page, "d does not change the colours", await page.evaluate(
        "['dark', 'light'].includes(document.documentElement.dataset.theme)"));
}

/* The knobs run the program again, and one key brings back the run that was recorded. */
async function try_knobs(page) {
    await choose(page, 0);
    await page.evaluate('document.getElementById("view_blocks").click()');
    await page.evaluate(`(() => {
        const knob = document.getElementById("knob_seed");
        knob.value = "4711";
        knob.dispatchEvent(new Event("change"));
    })()`);
    check(page, "the seed's knob does not turn", await page.evaluate(
        'stage.model.settings.seed === 4711 && !document.getElementById("changed").hidden'));
    await page.evaluate('document.getElementById("knob_reset").click()');
    check(page, "the knobs do not turn back", await page.evaluate(
        'stage.model.settings.recorded && document.getElementById("changed").hidden'));
    check(page, "another error", await page.evaluate('document.getElementById("error").hidden'),
          await text(page, "error"));
    await page.key("1");
}

/* Milliseconds from a key to the next picture, in the middle of the first program: the median. */
async function step_time(page) {
    await choose(page, 0);
    return page.evaluate(`(() => {
        const middle = Math.ceil(stage.model.run.steps / 2), times = [];
        for (let k = 0; k < 7; k++) {
            const begin = performance.now();
            stage.model.go(middle + k);
            times.push(performance.now() - begin);
        }
        return Math.round(times.sort((a, b) => a - b)[3]);
    })()`);
}

async function try_page(browser, file, shots) {
    const page = await browser.open(`file://${path.resolve(file)}`);
    page.name = path.basename(file, ".html");
    const time = await ready(page);

    await try_sizes(page, shots);
    const programs = await page.evaluate("stage.model.lab.programs.map((p) => p.kind)");
    if (!programs.length)
        check(page, "says nothing", (await page.evaluate(
            "document.querySelector('main').textContent")).length > 400);
    for (const [k, kind] of programs.entries()) {
        const name = `${kind}${k}`;
        await choose(page, k);
        check(page, `${name}: it does not open`, await page.evaluate(
            `document.getElementById("error").hidden && stage.model.lab.programs.indexOf(
             stage.model.program) === ${k}`), await text(page, "error"));
        await try_steps(page, name);
        await try_back(page, name);
        const over = await page.evaluate("document.documentElement.scrollHeight - innerHeight");
        check(page, `${name}: the page scrolls`, over <= 0, over);
        await try_views(page, name, k < 2 || kind === "own" ? shots : null);
        if (kind !== "solution")
            await try_finding(page, name);
    }
    if (programs.length)
        await try_knobs(page);
    const latency = programs.length ? await step_time(page) : 0;
    await try_access(page);
    check(page, "errors", page.errors.length === 0, page.errors.join("; "));
    await page.send("Page.close");
    return { name: page.name, programs: programs.length, time, step: latency,
             kilobytes: Math.round(fs.statSync(file).size / 1024) };
}

async function main() {
    const files = process.argv.slice(2).filter((a) => a.endsWith(".html"));
    const at = process.argv.indexOf("--shots");
    const shots = at < 0 ? null : process.argv[at + 1], rows = [];

    try {
        execFileSync(program, ["--version"], { stdio: "ignore" });
    } catch (absent) {
        console.log(`skipped: there is no ${program}`);
        process.exit(77);
    }
    const browser = await start();
    for (const file of files)
        await try_page(browser, file, shots).then((row) => rows.push(row)).catch((error) => {
            failures++;
            console.log(`${path.basename(file)}: ${error.message}`);
        });
    await browser.close();
    if (process.argv.includes("--table"))
        for (const { name, programs, kilobytes, time, step: ms } of rows)
            console.log(`| ${name} | ${programs} | ${kilobytes} | ${time} | ${ms} |`);
    console.log(`${rows.length} of ${files.length} pages, ${checks} checks, ${failures} failures`);
    process.exit(failures ? 1 : 0);
}

main().catch((error) => {
    console.log(error.message);
    process.exit(1);
});
