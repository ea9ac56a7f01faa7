import type { Socket } from 'node:net'

interface Asked {
  readonly status: number
  /** Until the first byte of the answer. */
  readonly milliseconds: number
}

/** A connection on which one request follows another. */
export class KeptConnection {
  readonly #socket: Socket
  #answered: ((asked: Asked) => void) | undefined
  #began = 0
  #first = Number.NaN
  #text = ''

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('latin1').on('data', (piece: string) => {
      if (this.#text === '') this.#first = performance.now() - this.#began
      this.#text += piece
      if (isWhole(this.#text)) this.#finish(Number(this.#text.slice(9, 12)))
    })
    socket.on('close', () => this.#finish(0))
  }

  ask(bytes: Buffer): Promise<Asked> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) return void resolve({ status: 0, milliseconds: Number.NaN })
      this.#text = ''
      this.#answered = resolve
      this.#began = performance.now()
      this.#socket.write(bytes)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #finish(status: number): void {
    this.#answered?.({ status, milliseconds: this.#first })
    this.#answered = undefined
  }
}

const isWhole = (text: string): boolean => {
  const end = text.indexOf('\r\n\r\n')
  return end >= 0 && text.length - end - 4 >= Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0)
}
