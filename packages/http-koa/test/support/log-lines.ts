import type { HttpLog } from '../../src/index.ts'

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Keeps every line, `debug` included. */
export class LogLines implements HttpLog {
  readonly lines: LogLine[] = []

  debug(fields: object, message: string): void {
    this.#keep('debug', fields, message)
  }

  info(fields: object, message: string): void {
    this.#keep('info', fields, message)
  }

  warn(fields: object, message: string): void {
    this.#keep('warn', fields, message)
  }

  error(fields: object, message: string): void {
    this.#keep('error', fields, message)
  }

  isLevelEnabled(): boolean {
    return true
  }

  #keep(level: string, fields: object, message: string): void {
    this.lines.push({ level, message, fields: { ...fields } })
  }
}
