/*
 * in_browser.js: does a page that was opened from disk run its programs, and find what they found
 * when they were recorded?
 *
 *   node in_browser.js PAGE.html
 *
 * The page's own engine and recordings are asked, in the page. Exit status: 0 yes, 1 no.
 */
"use strict";

const { start } = require("./browser.js");

const inside = `(async () => {
    const read = (id) => document.getElementById(id).textContent, answers = [];
    const engine = await lecture.open(await lecture.unzip(read("engine")));
    for (const program of JSON.parse(read("lab")).programs) {
        const text = new TextDecoder().decode(await lecture.unzip(program.recording));
        engine.load(text);
        const begin = performance.now(), run = engine.run(), ran = performance.now();
        engine.state(Math.min(1, run.steps));
        answers.push({ name: program.name, run, ran: ran - begin, first: performance.now() - ran,
                       lines: text.split("\\n").filter((l) => /^(found|counted) /.test(l)) });
    }
    return answers;
})()`;

async function main([file]) {
    const browser = await start();
    let failures = 0;
    try {
        const begin = Date.now(), page = await browser.open(`file://${require("path").resolve(file)}`);
        const answers = await page.evaluate(inside);
        for (const { name, run, ran, first, lines } of answers) {
            const here = [
                ...run.findings.map((f) => `found ${f.kind}|${f.file}:${f.line}|${f.count}|${f.message.replace(/\n/g, " ")}`),
                ...Object.entries(run.counts).map(([what, value]) => `counted ${what} ${value}`),
            ];
            const same = here.join("\n") === lines.join("\n");
            failures += !same;
            console.log(`${name}: ${run.steps} steps, ${run.findings.length} findings, run ${ran.toFixed(0)} ms, ` +
                `first state ${first.toFixed(0)} ms${same ? "" : ": not what was recorded"}`);
        }
        for (const error of page.errors) {
            failures++;
            console.log(`the page reports: ${error}`);
        }
        console.log(`${answers.length} programs, ${Date.now() - begin} ms from opening the page`);
        failures += answers.length === 0;
    } finally {
        await browser.close();
    }
    process.exit(failures ? 1 : 0);
}

main(process.argv.slice(2)).catch((error) => {
    console.log(error.message);
    process.exit(1);
});
