import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const read = (text: string): object => JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))

/**
 * Tokens that must not be accepted: of each kind that the tests of the verifier try at length (RFC 8725), what can be made
 * of a good one, by someone who knows the public key.
 */
export const forgeriesOf = (token: string, jwk: JsonWebKey): readonly string[] => {
  const [head = '', body = '', signature = ''] = token.split('.')
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' })
  const mine = generateKeyPairSync('ed25519')
  const withHeader = (more: object, signed: (text: string) => Buffer): string => {
    const text = `${part({ ...read(head), ...more })}.${body}`
    return `${text}.${signed(text).toString('base64url')}`
  }
  return [
    ...['none', 'NONE', '', null].flatMap((alg) => [
      withHeader({ alg }, () => Buffer.alloc(0)),
      withHeader({ alg }, () => Buffer.from(signature, 'base64url')),
    ]),
    ...['HS256', 'EdDSA'].map((alg) => withHeader({ alg }, (text) => createHmac('sha256', pem).update(text).digest())),
    ...[{}, { kid: undefined }, { kid: '__proto__' }, { jwk: mine.publicKey.export({ format: 'jwk' }) }].map((more) =>
      withHeader(more, (text) => sign(null, Buffer.from(text), mine.privateKey)),
    ),
    ...[`${head}.${part({ ...read(body), sub: 'eve' })}.${signature}`, `${head}.${body}.${part('signature')}`],
    ...[`${head}.${body}`, `${head}..${signature}`, `${head}.${body}.${signature}=`, `${body}.${head}.${signature}`],
  ]
}
