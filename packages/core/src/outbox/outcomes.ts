/**
 * Stores the outcomes of leased entries. What could not be stored is kept: the leases are still renewed,
 * so it must be written in the end.
 */
export class Outcomes {
  #unwritten: (() => Promise<void>)[] = []
  #troubles: unknown[] = []

  /** Never rejects: the next report contains the error. */
  async write(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (trouble) {
      this.#unwritten.push(write)
      this.note(trouble)
    }
  }

  /** Tries again what could not be written. */
  async writeDown(): Promise<void> {
    for (const write of this.#unwritten.splice(0)) await this.write(write)
  }

  note(trouble: unknown): void {
    this.#troubles.push(trouble)
  }

  /** @throws the first trouble since the last report; that is one for all of them */
  report(): void {
    const [trouble] = this.#troubles.splice(0)
    if (trouble !== undefined) throw trouble
  }
}
