import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What to answer a line with; nothing, to say nothing at all; to hang up; or to begin an answer that never ends. */
export type Answer = string | undefined | 'hang up' | 'trickle'
export type Phase =
  | 'greeting'
  | 'EHLO'
  | 'STARTTLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'end of data'
  | 'RSET'
  | 'QUIT'
/** Milliseconds until the usual answer. */
interface Late {
  readonly late: number
}
export type Script = Partial<Record<Phase, Answer | Late | ((line: string) => Answer | Late)>>

const OBEDIENT: Record<Phase, Answer> = {
  greeting: '220 relay ESMTP',
  EHLO: '250 relay',
  STARTTLS: '502 5.5.1 no',
  AUTH: '235 2.7.0 yes',
  MAIL: '250 2.1.0 yes',
  RCPT: '250 2.1.5 yes',
  DATA: '354 go on',
  'end of data': '250 2.0.0 taken',
  RSET: '250 2.0.0 yes',
  QUIT: '221 2.0.0 bye',
}

export interface Taken {
  /** As they were named, byte by byte. */
  readonly sender: string
  readonly recipients: readonly string[]
  readonly source: Buffer
}

/**
 * A relay that answers as scripted, in each phase of the dialogue. It keeps every byte that it got, and apart from
 * that the mails that it said yes to.
 */
export const openScriptedRelay = async (script: Script) => {
  const sockets = new Set<Socket>()
  const dialogues: string[] = []
  const taken: Taken[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    const dialogue = dialogues.push('') - 1
    let rest = ''
    let inData = false
    let sender = ''
    let recipients: string[] = []
    let data: string[] = []
    const answer = (phase: Phase, line: string): Answer => {
      const said = phase in script ? script[phase] : OBEDIENT[phase]
      const given = typeof said === 'function' ? said(line) : said
      const words = typeof given === 'object' ? OBEDIENT[phase] : given
      if (typeof given === 'object') setTimeout(() => socket.write(`${words}\r\n`), given.late)
      else if (words === 'hang up') socket.destroy()
      else if (words === 'trickle') trickle(socket)
      else if (words !== undefined) socket.write(`${words}\r\n`)
      return words
    }
    const hear = (line: string): void => {
      if (inData) {
        if (line !== '.') {
          data.push(line.replace(/^\./, ''))
          return
        }
        inData = false
        const source = Buffer.from(data.map((text) => `${text}\r\n`).join(''), 'latin1')
        if (answer('end of data', line)?.startsWith('250')) taken.push({ sender, recipients, source })
        return
      }
      const phase = line.slice(0, 4) === 'STAR' ? 'STARTTLS' : (line.slice(0, 4) as Phase)
      const words = answer(phase in OBEDIENT ? phase : 'EHLO', line)
      if (phase === 'MAIL') [sender, recipients, data] = [/^MAIL FROM:<(.*?)>/.exec(line)?.[1] ?? line, [], []]
      const recipient = /^RCPT TO:<(.*)>$/.exec(line)?.[1]
      if (recipient !== undefined && words?.startsWith('250')) recipients.push(recipient)
      inData = phase === 'DATA' && words?.startsWith('354') === true
    }
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      dialogues[dialogue] += chunk
      const lines = `${rest}${chunk}`.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) hear(line)
    })
    answer('greeting', '')
  })
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    hangUp()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return { dialogues, taken, port, url: `smtp://127.0.0.1:${port}`, hangUp }
}

const trickle = (socket: Socket): void => {
  const timer = setInterval(() => socket.write('250-more\r\n'), 50)
  socket.on('close', () => clearInterval(timer))
}
