// Reads a stream of recipients to its end, on the core of the load. Argument: {url, token} as JSON.
// Prints {seconds, count} as JSON.
import { get } from 'node:http'
import { setPriority } from 'node:os'

const LF = 0x0a
/** It is another machine's work: the clock of the sign-ups beside it may not wait for it. */
const BEHIND_THE_SIGN_UPS = 10

setPriority(BEHIND_THE_SIGN_UPS)
const { url, token } = JSON.parse(process.argv[2] ?? '')
const began = performance.now()
get(url, { agent: false, headers: { Authorization: `Bearer ${token}` } }, async (response) => {
  let lines = 0
  let end: Buffer = Buffer.alloc(0)
  for await (const chunk of response as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) lines++
    end = chunk.length < 100 ? Buffer.concat([end, chunk]) : chunk
  }
  const last = end.toString().trimEnd().split('\n').at(-1)
  const count = lines - 2
  if (response.statusCode !== 200 || last !== `{"recipients":${count}}`)
    throw new Error(`the list of recipients was answered ${response.statusCode} and ended with ${last}`)
  process.stdout.write(JSON.stringify({ seconds: (performance.now() - began) / 1_000, count }))
})
