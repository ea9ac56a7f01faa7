// Waits for longer than /readyz takes at most, which is 8 s, and less than its HEALTHCHECK.
// Exits with 0 if the service in this container is ready. The image has no shell and no curl that could ask.
// An empty setting is none.
const port = process.env.ROLLCALL_PORT || '8080'
const given = process.env.ROLLCALL_HOST || '127.0.0.1'
const EVERYWHERE = { '0.0.0.0': '127.0.0.1', '::': '::1' }
const address = EVERYWHERE[given] || given
const host = address.includes(':') ? `[${address}]` : address

fetch(`http://${host}:${port}/readyz`, { signal: AbortSignal.timeout(9000) })
  .then(async (answer) => {
    process.stdout.write(await answer.text())
    process.exitCode = answer.ok ? 0 : 1
  })
  .catch((error) => {
    process.stderr.write(`${error.cause?.message ?? error.message}\n`)
    process.exitCode = 1
  })
