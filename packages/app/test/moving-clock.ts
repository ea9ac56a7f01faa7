// The service under a clock that jumps, and one that runs faster: from its start, and at SIGUSR2, it goes by what the
// file `clock` in its folder says, if there is one: `{"offset": <milliseconds>, "speed": <how often as fast>}`. That
// which never jumps runs faster, too.
import { existsSync, readFileSync } from 'node:fs'

const RealDate = Date
const realElapsed = performance.now.bind(performance)

let [offset, speed] = [0, 1]
let since = { real: realElapsed(), elapsed: realElapsed(), date: RealDate.now() }

const passed = (): number => (realElapsed() - since.real) * speed
const elapsed = (): number => since.elapsed + passed()
const now = (): number => Math.floor(since.date + passed()) + offset

const follow = (): void => {
  since = { real: realElapsed(), elapsed: elapsed(), date: since.date + passed() }
  ;({ offset, speed } = { offset: 0, speed: 1, ...JSON.parse(readFileSync('clock', 'utf8')) })
}
if (existsSync('clock')) follow()
process.on('SIGUSR2', follow)

globalThis.Date = class extends RealDate {
  constructor(...parts: [] | [string | number]) {
    super(parts.length === 0 ? now() : parts[0])
  }

  static override now(): number {
    return now()
  }
} as DateConstructor
performance.now = elapsed

await import('../src/main.ts')
