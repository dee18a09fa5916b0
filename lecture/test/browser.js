/*
 * browser.js: a headless Chromium that a test drives, by its debugging protocol through pipes.
 *
 *     const browser = await start(), page = await browser.open("file:///...");
 *     await page.evaluate("1 + 1"); await page.size(1920, 1080); await page.screenshot("a.png");
 *     await page.key("ArrowRight"); page.errors; await browser.close();
 */
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const program = process.env.CHROMIUM || "chromium";
const WAIT = 60000; /* milliseconds for one answer */

async function start() {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), "lecture-"));
    const child = spawn(program, ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--remote-debugging-pipe", `--user-data-dir=${home}`, "about:blank"],
        { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    const [, , , to, from] = child.stdio;
    const waiting = new Map(), pages = new Map();
    let last = 0, text = "";

    from.on("data", (data) => {
        text += data;
        const messages = text.split("\0");
        text = messages.pop();
        for (const message of messages.map((m) => JSON.parse(m))) {
            if (message.id && waiting.has(message.id))
                waiting.get(message.id)(message);
            else if (pages.has(message.sessionId))
                pages.get(message.sessionId)(message);
        }
    });

    function send(method, params = {}, sessionId = undefined) {
        const id = ++last;
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), WAIT);
            waiting.set(id, (message) => {
                waiting.delete(id);
                clearTimeout(timer);
                if (message.error)
                    reject(new Error(`${method}: ${message.error.message}`));
                else
                    resolve(message.result);
            });
            to.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
        });
    }

    async function open(url) {
        const { targetId } = await send("Target.createTarget", { url: "about:blank" });
        const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
        const errors = [];
        let loaded;
        const load = new Promise((resolve) => { loaded = resolve; });
        const here = (method, params) => send(method, params, sessionId);

        pages.set(sessionId, ({ method, params }) => {
            if (method === "Runtime.exceptionThrown")
                errors.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
            if (method === "Runtime.consoleAPICalled" && params.type === "error")
                errors.push(params.args.map((a) => a.value || a.description).join(" "));
            if (method === "Page.loadEventFired")
                loaded();
        });
        await here("Page.enable");
        await here("Runtime.enable");
        await here("Page.navigate", { url });
        await load;
        return {
            errors,
            /* the value of an expression, of a promise its result */
            async evaluate(expression) {
                const { result, exceptionDetails } =
                    await here("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
                if (exceptionDetails)
                    throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
                return result.value;
            },
            size(width, height) {
                return here("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
            },
            async screenshot(file) {
                const { data } = await here("Page.captureScreenshot", { format: "png" });
                fs.writeFileSync(file, Buffer.from(data, "base64"));
            },
            async key(key) {
                const text = key.length === 1 ? key : undefined;
                await here("Input.dispatchKeyEvent", { type: "keyDown", key, code: key, text });
                await here("Input.dispatchKeyEvent", { type: "keyUp", key, code: key });
            },
            send: here,
        };
    }

    async function close() {
        const ended = new Promise((resolve) => child.on("exit", resolve));
        await send("Browser.close").catch(() => child.kill());
        await ended;
        fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }

    return { open, close };
}

module.exports = { start, program };
