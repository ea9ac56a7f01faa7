// The service under a clock that jumps: by as many milliseconds as the file `clock` in its folder says, at SIGUSR2.
import { readFileSync } from 'node:fs'

const RealDate = Date
let offset = 0

process.on('SIGUSR2', () => {
  offset = Number(readFileSync('clock', 'utf8'))
})

globalThis.Date = class extends RealDate {
  constructor(...parts: [] | [string | number]) {
    super(parts.length === 0 ? RealDate.now() + offset : parts[0])
  }

  static override now(): number {
    return RealDate.now() + offset
  }
} as DateConstructor

await import('../src/main.ts')
