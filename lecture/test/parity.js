/*
 * parity.js: does the engine of a page say what the native one says?
 *
 *   node parity.js ENGINE.wasm NATIVE RECORDING...
 *
 * Of each recording: the answers of both to the same requests are the same, byte by byte; and
 * findings and counts are those of the program itself, which ran natively when it was recorded.
 * Exit status: 0 all are, 1 some are not.
 */
"use strict";

const fs = require("fs");
const path = require("path");
const { execFileSync } = require("child_process");
const lecture = require("../engine.js");

const [wasm, native, ...recordings] = process.argv.slice(2);
let failures = 0;

function fail(recording, what) {
    failures++;
    console.log(`${path.basename(recording)}: ${what}`);
}

function same(recording, what, one, other) {
    if (one !== other) {
        let at = 0;
        while (one[at] === other[at])
            at++;
        const from = Math.max(0, at - 60);
        fail(recording, `${what}: a page says\n    ${one.slice(from, at + 100)}\nnatively it is\n    ${other.slice(from, at + 100)}`);
    }
}

/* What the recorded run found and counted, and the same of this run. */
function recorded(text, run) {
    const lines = text.split("\n"), of = (name) => lines.filter((l) => l.startsWith(name + " "));
    const found = run.findings.map((f) => `found ${f.kind}|${f.file}:${f.line}|${f.count}|${f.message.replace(/\n/g, " ")}`);
    const counted = Object.entries(run.counts).map(([name, value]) => `counted ${name} ${value}`);
    return [[of("found"), found], [of("counted"), counted]];
}

async function check(recording) {
    const text = fs.readFileSync(recording, "utf8");
    const engine = await lecture.open(fs.readFileSync(wasm));
    engine.load(text);
    const run = engine.run(), n = run.steps;
    const steps = [...new Set([0, 1, Math.ceil(n / 3), Math.ceil(n / 2), n])].filter((s) => s <= n);
    const requests = [["run"], ["steps", "1", "100000"], ...(n < 20000 ? [["network"]] : []),
                      ...steps.map((s) => ["state", String(s)])];
    const answers = execFileSync(native, [recording, ...requests.flat()], { maxBuffer: 1 << 30 })
        .toString().split("\n");

    requests.forEach(([name, ...args], k) => {
        const answer = name === "run" ? run : engine[name](...args.map(Number));
        same(recording, [name, ...args].join(" "), JSON.stringify(answer), JSON.stringify(JSON.parse(answers[k])));
    });
    for (const [before, now] of recorded(text, run))
        if (before.join("\n") !== now.join("\n"))
            fail(recording, `recorded\n    ${before.filter((l) => !now.includes(l)).join("\n    ")}\nhere\n    ${now.filter((l) => !before.includes(l)).join("\n    ")}`);
    console.log(`${path.basename(recording)}: ${n} steps, ${run.findings.length} findings`);
}

(async () => {
    for (const recording of recordings)
        await check(recording).catch((error) => fail(recording, error.message));
    process.exit(failures ? 1 : 0);
})();
