import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'

const made = new Set<string>()
process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** A folder that is gone when it is disposed of, or when this process ends, unless it is kept. */
export class ScratchFolder implements Disposable {
  readonly path: string
  #kept = false

  /** Below `parent`, which is there. */
  constructor(parent: string) {
    this.path = mkdtempSync(path.join(parent, 'rollcall-power-loss-'))
    made.add(this.path)
  }

  keep(): void {
    this.#kept = true
    made.delete(this.path)
  }

  [Symbol.dispose](): void {
    if (this.#kept) return
    rmSync(this.path, { recursive: true, force: true })
    made.delete(this.path)
  }
}
