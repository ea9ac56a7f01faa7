import { PERSONAL } from '../dictionary.ts'

const LEVELS_OF_DEFECTS = ['error', 'fatal']

/** Reads the log of the service line by line, for what must not be in it. */
export class LogWatch {
  readonly #secrets: readonly string[]
  readonly #found: (problem: string, requestId: string | undefined) => void
  #rest = ''

  constructor(secrets: readonly string[], found: (problem: string, requestId: string | undefined) => void) {
    this.#secrets = [PERSONAL, ...secrets].map((secret) => secret.toLowerCase())
    this.#found = found
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') this.#read(line)
  }

  #read(line: string): void {
    const record = recordIn(line)
    const requestId = typeof record?.request_id === 'string' ? record.request_id : undefined
    if (record === undefined) this.#found(`log-line: ${line.slice(0, 400)}`, requestId)
    else if (LEVELS_OF_DEFECTS.includes(String(record.level)))
      this.#found(`log-error: ${line.slice(0, 1_000)}`, requestId)
    const lower = line.toLowerCase()
    const secret = this.#secrets.find((one) => lower.includes(one))
    if (secret !== undefined) this.#found(`log-privacy: ${line.slice(0, 1_000)}`, requestId)
  }
}

const recordIn = (line: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
