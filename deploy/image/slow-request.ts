import net from 'node:net'
import { eventually } from '../../packages/app/test/eventually.ts'

/** A sign-up whose body is still under way. */
export class SlowRequest {
  readonly #socket: net.Socket
  #answer = ''

  private constructor(socket: net.Socket) {
    this.#socket = socket.setEncoding('utf8').on('data', (text: string) => {
      this.#answer += text
    })
  }

  static async begin(port: number): Promise<SlowRequest> {
    const request = new SlowRequest(net.connect(port, '127.0.0.1'))
    const head = ['POST /subscribe HTTP/1.1', 'Host: localhost', 'Content-Type: application/x-www-form-urlencoded']
    // The service answers when it has the head: from then on the request is in flight.
    request.#socket.write(`${[...head, 'Expect: 100-continue', 'Content-Length: 32'].join('\r\n')}\r\n\r\n`)
    await eventually(() => request.#answer.includes('100 Continue'), 'that the service has the head')
    request.#answer = ''
    return request
  }

  async finish(): Promise<string> {
    this.#socket.write('name=Ada&email=ada%40example.com')
    await eventually(() => this.#answer.includes('pending'), 'that the service answers')
    this.#socket.destroy()
    return this.#answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  }
}
