#!/usr/bin/env node
// Whether the process whose OPS_PORT this is can do its work: asks its /readyz, or /healthz with --alive. Exits 0 or 1 and says what is
// waited for. --wait SECONDS: asks until it can, or until MAINPID, which systemd sets, has ended: a part that refused to start would
// otherwise be waited for as if it started. For units, containers and anything else that runs a command to know; needs no build.
const { OPS_PORT, OPS_HOST = '127.0.0.1', MAINPID } = process.env;
const path = process.argv.includes('--alive') ? '/healthz' : '/readyz';
const until = Date.now() + 1000 * Number(process.argv[process.argv.indexOf('--wait') + 1] ?? 0);

if (!OPS_PORT) {
  process.stderr.write('OPS_PORT is not set: nobody can be asked\n');
  process.exit(1);
} // a unit that is stopped while it starts has not failed, but would if this, too, ended by a signal
if (MAINPID) process.on('SIGTERM', () => process.exit(0));
for (;;) {
  const answer = await ask();
  if (answer.ok) process.exit(0);
  const ended = hasEnded();
  if (ended || !(Date.now() < until)) {
    process.stderr.write(`${ended ? 'the process has ended' : answer.says}\n`);
    process.exit(1);
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
}

async function ask() {
  const host = ['0.0.0.0', '::'].includes(OPS_HOST) ? '127.0.0.1' : OPS_HOST;
  try {
    const response = await fetch(`http://${host}:${OPS_PORT}${path}`, { signal: AbortSignal.timeout(4000) });
    return { ok: response.ok, says: (await response.text()).trim() };
  } catch (error) {
    return { ok: false, says: `no answer: ${error.cause?.code ?? error.name}` };
  }
}

function hasEnded() {
  if (!MAINPID) return false;
  try {
    process.kill(Number(MAINPID), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
