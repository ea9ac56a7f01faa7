import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { AddressNotAllowed } from '../src/index.ts'
import type { Resolve } from '../src/reachable-addresses.ts'
import { aMessage, LOOPBACK, ranges, receiverFor, transportFor } from './cast.ts'
import { SELF_SIGNED } from './self-signed.ts'

/** A name server that gives the scripted answers in turn, and then repeats the last. */
const answering = (...answers: string[][]) => {
  const questions: string[] = []
  const resolve: Resolve = (host, _options, done) => {
    const addresses = answers[Math.min(questions.length, answers.length - 1)] ?? []
    questions.push(host)
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { questions, resolve }
}

const LITERALS = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '10.0.0.1', '169.254.169.254'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[fe80::1]', '[fd00:ec2::254]', '[64:ff9b::7f00:1]'],
  ...['100.100.100.200', '168.63.129.16', '224.0.0.1', '255.255.255.255'],
]

describe('an address that is not public', () => {
  it.each(LITERALS)('is reached by no URL that names it: %s', async (host) => {
    const { port } = await receiverFor()
    const transport = transportFor({ allow: [] })
    for (const url of [`https://${host}:${port}/`, `http://${host}:${port}/`]) {
      expect(transport.problemWith(url)).toMatch(/\.$/)
      await expect(transport.send(aMessage(url))).rejects.toBeInstanceOf(AddressNotAllowed)
    }
  })

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254', '64:ff9b::7f00:1'])(
    'is reached by no name that stands for it: %s',
    async (address) => {
      const receiver = await receiverFor({ secure: true })
      const { resolve } = answering([address])
      const transport = transportFor({ allow: [], resolve, authorities: [SELF_SIGNED.cert] })
      const url = `https://hooks.example:${receiver.port}/`
      expect(transport.problemWith(url)).toBeUndefined()
      await expect(transport.send(aMessage(url))).rejects.toBeInstanceOf(AddressNotAllowed)
      expect(receiver.received).toEqual([])
    },
  )

  it('is reached by no name that stood for another a moment before', async () => {
    const receiver = await receiverFor({ secure: true })
    // At first as it should be; then, for every new connection, what must not be reached.
    const { resolve, questions } = answering(['127.0.0.1'], ['127.0.0.2'])
    const options = { allow: ranges('127.0.0.1'), resolve, authorities: [SELF_SIGNED.cert] }
    const transport = transportFor(options)
    const url = `https://hooks.example:${receiver.port}/`
    receiver.answerAll((response) => response.writeHead(204, { Connection: 'close' }).end())
    await transport.send(aMessage(url))
    await expect(transport.send(aMessage(url))).rejects.toBeInstanceOf(AddressNotAllowed)
    expect(questions).toEqual(['hooks.example', 'hooks.example'])
    expect(receiver.received).toHaveLength(1)
  })

  it('is left out where a name stands for others, too', async () => {
    const receiver = await receiverFor({ secure: true })
    const { resolve } = answering(['10.0.0.1', '::1', '127.0.0.1'])
    const transport = transportFor({ allow: ranges('127.0.0.1'), resolve, authorities: [SELF_SIGNED.cert] })
    await transport.send(aMessage(`https://hooks.example:${receiver.port}/`))
    expect(receiver.received).toHaveLength(1)
  })

  it('is reached where it is allowed, by its name, as it stands, and without encryption', async () => {
    const receiver = await receiverFor()
    const { resolve } = answering(['127.0.0.1'])
    const transport = transportFor({ allow: LOOPBACK, resolve })
    for (const url of [receiver.url, `http://hooks.example:${receiver.port}/`]) {
      expect(transport.problemWith(url)).toBeUndefined()
      await transport.send(aMessage(url))
    }
    expect(receiver.received).toHaveLength(2)
  })
})

describe('encryption', () => {
  it('is asked for, but for addresses that are allowed', async () => {
    const open = transportFor({ allow: [] })
    expect(open.problemWith('http://shop.example/')).toBe('Use https.')
    expect(open.problemWith('http://93.184.215.14/')).toBe('Use https.')
    expect(open.problemWith('https://93.184.215.14/')).toBeUndefined()
    const { resolve } = answering(['93.184.215.14'])
    const own = transportFor({ allow: LOOPBACK, resolve })
    expect(own.problemWith('http://93.184.215.14/')).toBe('Use https.')
    // What the name stands for is seen only then.
    expect(own.problemWith('http://shop.example/')).toBeUndefined()
    await expect(own.send(aMessage('http://shop.example/'))).rejects.toBeInstanceOf(AddressNotAllowed)
  })

  it('can be left out by a setting, which the error about another address mentions', async () => {
    const open = transportFor({ allow: [], allowSetting: 'EVENTS_ALLOW' })
    const exceptions = 'Exceptions are named in EVENTS_ALLOW.'
    expect(open.problemWith('http://127.0.0.1:8080/')).toBe(`Use https. ${exceptions}`)
    expect(open.problemWith('https://127.0.0.1/')).toMatch(
      /^Give a public address\. .* Exceptions are named in EVENTS_ALLOW\.$/,
    )
    expect(open.problemWith('ftp://shop.example/')).not.toContain(exceptions)
  })

  it('refuses an untrusted certificate, and one for another name', async () => {
    const receiver = await receiverFor({ secure: true })
    const { resolve } = answering(['127.0.0.1'])
    const url = `https://hooks.example:${receiver.port}/`
    await expect(transportFor({ resolve }).send(aMessage(url))).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      message: 'self-signed certificate; if you trust who signed it, set NODE_EXTRA_CA_CERTS',
    })
    const trusting = transportFor({ resolve, authorities: [SELF_SIGNED.cert] })
    const other = `https://other.example:${receiver.port}/`
    await expect(trusting.send(aMessage(other))).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(receiver.received).toEqual([])
    await trusting.send(aMessage(url))
    expect(receiver.received).toHaveLength(1)
  })
})
