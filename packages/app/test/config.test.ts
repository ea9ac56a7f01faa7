import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { currentPostgresUrl, readConfig, readEnvironment } from '../src/config.ts'
import { temporaryFolder } from './temporary-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})

describe('configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      publicUrl: 'http://127.0.0.1:8080',
      databaseFile: path.resolve('data/rollcall.db'),
      CONFIRM_TTL: 7 * 86_400_000,
      SHUTDOWN_DELAY: 0,
      SHUTDOWN_TIMEOUT: 10_000,
      // RFC 5321 section 4.5.3.2
      SMTP_TIMEOUTS: {
        ...{ connect: 30_000, greeting: 300_000, command: 300_000 },
        ...{ data: 120_000, block: 180_000, dot: 600_000 },
      },
      TRUST_PROXY: 0,
      CORS_ORIGINS: [],
      RATE_LIMIT: { quota: 20, window: 60_000 },
      CHALLENGE: 'off',
      METRICS_HOST: '127.0.0.1',
      TRACING_RATE: 10,
    })
  })

  it('takes limits, challenges and a port for metrics', () => {
    const environment = { ROLLCALL_RATE_LIMIT: '5/10s', ROLLCALL_CHALLENGE: 'altcha', ROLLCALL_METRICS_PORT: '9090' }
    const RATE_LIMIT = { quota: 5, window: 10_000 }
    expect(readConfig(environment)).toMatchObject({ RATE_LIMIT, CHALLENGE: 'altcha', METRICS_PORT: 9090 })
    expect(readConfig({ ROLLCALL_RATE_LIMIT: 'off' }).RATE_LIMIT).toBe('off')
  })

  it('takes domains as addresses have them', () => {
    const ROLLCALL_BLOCKED_DOMAINS = '@Trash.example, *.bücher.example .ab.example # a list\n192.0.2.1'
    const domains = ['trash.example', 'xn--bcher-kva.example', 'ab.example', '192.0.2.1']
    expect(readConfig({ ROLLCALL_BLOCKED_DOMAINS }).BLOCKED_DOMAINS).toEqual(domains)
  })

  it('takes a place for the newest seal that nothing else has', () => {
    expect(readConfig({}).anchorFile).toBe(path.resolve('data/audit-anchor'))
    expect(readConfig({ ROLLCALL_AUDIT_ANCHOR: 'seals/one' }).anchorFile).toBe(path.resolve('seals/one'))
    const problem = 'ROLLCALL_AUDIT_ANCHOR: use the path of a file'
    expect(() => readConfig({ ROLLCALL_AUDIT_ANCHOR: 'seals/' })).toThrow(problem)
    for (const ROLLCALL_AUDIT_ANCHOR of ['data/secret', 'data/signing-keys.json', './data/rollcall.db'])
      expect(() => readConfig({ ROLLCALL_AUDIT_ANCHOR })).toThrow('holds something else. Name a file of its own.')
  })

  it('takes addresses that events may be sent to, although they are not public', () => {
    expect(readConfig({}).WEBHOOK_ALLOW).toEqual([])
    expect(readConfig({ ROLLCALL_WEBHOOK_ALLOW: '10.0.0.0/8, ::1' }).WEBHOOK_ALLOW).toEqual([
      { network: '10.0.0.0', prefix: 8, family: 'ipv4' },
      { network: '::1', prefix: 128, family: 'ipv6' },
    ])
    for (const ROLLCALL_WEBHOOK_ALLOW of ['localhost', '10.0.0.0/33', '10.0.0.0/8 *'])
      expect(() => readConfig({ ROLLCALL_WEBHOOK_ALLOW })).toThrow(/WEBHOOK_ALLOW: use addresses/)
  })

  it('is refused with everything that is wrong with it at once', () => {
    const environment = {
      ...{ ROLLCALL_PROT: '80', ROLLCALL_PORT: 'http', ROLLCALL_SECRET_FILE: '/nowhere/secret', ROLLCALL_TRACE: 'yes' },
      ...{ ROLLCALL_HOST: '0.0.0.0', ROLLCALL_SMTP_PASSWORD: 'x' },
    }
    const names = /PROT is not known.*SMTP_PASSWORD is not known.*SECRET_FILE names.*PORT: use.*TRACE: use/
    expect(() => readConfig(environment)).toThrow(names)
    const others = { ROLLCALL_HOST: '0.0.0.0', ROLLCALL_AUTH_ISSUER: 'https://id.example.com' }
    expect(() => readConfig(others)).toThrow(/HOST is reachable from outside.*AUTH_AUDIENCE: say/)
  })

  it('says how to write an origin', () => {
    const written = {
      'https://example.com/': 'https://example.com',
      'https://Example.com:443': 'https://example.com',
      'https://bücher.example': 'https://xn--bcher-kva.example',
    }
    const given = (ROLLCALL_CORS_ORIGINS: string) => () => readConfig({ ROLLCALL_CORS_ORIGINS })
    for (const [text, origin] of Object.entries(written))
      expect(given(text)).toThrow(`ROLLCALL_CORS_ORIGINS: use ${origin}, nothing after it.`)
    // And once what it is, not what this would be.
    const once = /^((?!undefined|null).)*an address such as https:\/\/news\.example\.com((?!undefined|null).)*$/s
    for (const text of ['news.example.com', 'mailto:x', 'localhost:9090']) expect(given(text)).toThrow(once)
  })

  it('cannot be changed once it is read', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })

  it('keeps the database in the data folder by default', () => {
    expect(readConfig({ ROLLCALL_DATA_DIR: '/somewhere' }).databaseFile).toBe('/somewhere/rollcall.db')
    expect(readConfig({ ROLLCALL_DATABASE_URL: 'sqlite:/else/where.db' }).databaseFile).toBe('/else/where.db')
    expect(readConfig({ ROLLCALL_DATABASE_URL: 'sqlite:///else/where.db' }).databaseFile).toBe('/else/where.db')
    expect(readConfig({ ROLLCALL_DATABASE_URL: 'sqlite:/else/where.db' }).postgresUrl).toBeUndefined()
    for (const url of ['postgres://rollcall@db.example.com/rollcall', 'postgresql:///rollcall?host=/run/postgresql'])
      expect(readConfig({ ROLLCALL_DATABASE_URL: url }).postgresUrl).toBe(url)
  })

  const REFUSED = {
    PORT: ['http', '0', '65536'],
    HOST: ['a b'],
    DATABASE_URL: [
      'postgres://',
      'mysql://localhost/x',
      'sqlite::memory:',
      'sqlite://:memory:',
      'sqlite:///:memory:',
      'sqlite:file:x.db?mode=memory',
      'sqlite://data/rollcall.db',
      'sqlite:./x.db?mode=rwc',
      'sqlite: ',
    ],
    PUBLIC_URL: [
      'https://news.example.com/#',
      'https://news.example.com?',
      'ftp://example.com',
      'news.example.com',
      'https://',
      'https://user@example.com',
    ],
    CONSOLE_SCOPE: ['email profile'],
    SMTP_URL: ['http://example.com'],
    SMTP_TIMEOUTS: ['10m', 'dot=2h', 'dot=1m,end=1m'],
    SECRET: ['short'],
    CONFIRM_TTL: ['7 days', '0s'],
    TRUST_PROXY: ['yes'],
    CORS_ORIGINS: ['https://example.com/path'],
    LOG_LEVEL: ['loud'],
    LOG_FORMAT: ['xml'],
    TRACE: ['true'],
    TRACING_RATE: ['0.5'],
    RATE_LIMIT: ['20', '20/1w', 'none'],
    CHALLENGE: ['on'],
    DELETE_GRACE: ['a day'],
    AUTH_ISSUER: [
      'http://id.example.com',
      'id.example.com',
      'https://id.example.com/?tenant=1',
      'https://user@id.example.com',
    ],
    AUTH_ROLES_CLAIM: ['/~'],
    AUTH_ACCEPT_ID_TOKENS: ['yes'],
    AUTH_SUBJECT_CLAIM: ['email', 'upn', 'preferred_username', '/sub'],
    AUTH_FEEDS_CLAIM: ['/~'],
    AUTH_AUDIENCE_CLAIM: ['sub'],
    AUTH_JWKS_URL: ['http://id.example.com/keys'],
    AUTH_ROLE_MAP: ['admin'],
    METRICS_PORT: ['0'],
    METRICS_HOST: ['a b'],
    BLOCKED_DOMAINS: ['ex%61mple.com', 'example.com xn--a.example'],
  }

  it.each(Object.entries(REFUSED).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    'refuses ROLLCALL_%s=%s by name, and says what to do',
    (name, value) => {
      const problem = new RegExp(`ROLLCALL_${name}: .*(use|this version)`, 'i')
      expect(() => readConfig({ [`ROLLCALL_${name}`]: value })).toThrow(problem)
    },
  )

  it('names the first line that is wrong of a list of domains', () => {
    const ROLLCALL_BLOCKED_DOMAINS = 'one.example\n*.two.example\nhttps://three.example\nfour_example\n'
    expect(() => readConfig({ ROLLCALL_BLOCKED_DOMAINS })).toThrow(
      /^ROLLCALL_BLOCKED_DOMAINS: 'https:\/\/three\.example' is none: use domains such as [^:]*$/,
    )
  })

  it.each(['postgres://ada:50%@db/x', 'postgres://50%@one,two/x', 'postgresql://ada@db/50%?pool=7'])(
    'refuses the address of a database with a percent sign that encodes nothing (%s)',
    (url) => {
      const environment = { ROLLCALL_DATABASE_URL: url }
      const problem = `ROLLCALL_DATABASE_URL: a percent sign in the user, the password or the database is written as %25.`
      expect(() => readConfig(environment)).toThrow(problem)
      expect(() => readConfig({ ROLLCALL_DATABASE_URL: url.replace('%', '%25') })).not.toThrow()
    },
  )

  it('refuses two listeners on one port, unless each has an address of its own', () => {
    const both = { ROLLCALL_PORT: '9090', ROLLCALL_METRICS_PORT: '9090' }
    const problem = 'ROLLCALL_METRICS_PORT: ROLLCALL_PORT is 9090, too. Choose another port.'
    expect(() => readConfig(both)).toThrow(problem)
    expect(() => readConfig({ ...both, ROLLCALL_METRICS_HOST: '0.0.0.0' })).toThrow(problem)
    const beside = { ROLLCALL_CONSOLE_PORT: '9090', ROLLCALL_METRICS_PORT: '9090' }
    expect(() => readConfig(beside)).toThrow(/CONSOLE_PORT is/)
    expect(readConfig({ ...both, ROLLCALL_METRICS_HOST: '127.0.0.2' }).METRICS_PORT).toBe(9090)
  })

  it('knows what is for command lines alone, and leaves it alone', () => {
    const ofCommands = { ROLLCALL_SERVER: 'no address', ROLLCALL_TOKEN_FILE: '/nowhere/token' }
    expect(readConfig(ofCommands)).toEqual(readConfig({}))
    expect(() => readConfig({ ROLLCALL_SERVR: 'x' })).toThrow('Did you mean ROLLCALL_SERVER?')
  })

  it('refuses an unknown name and says the nearest known one', () => {
    expect(() => readConfig({ ROLLCALL_SMPT_URL: 'smtp://x' })).toThrow(/Did you mean ROLLCALL_SMTP_URL/)
  })

  it('leaves alone what Kubernetes makes for a service of that name', () => {
    const of = (service: string, address: string) => ({
      ...{ [`${service}_SERVICE_HOST`]: address, [`${service}_SERVICE_PORT`]: '80' },
      ...{ [`${service}_SERVICE_PORT_HTTP`]: '80', [`${service}_PORT`]: `tcp://${address}:80` },
      ...{ [`${service}_PORT_80_TCP`]: `tcp://${address}:80`, [`${service}_PORT_80_TCP_ADDR`]: address },
    })
    expect(readConfig({ ...of('ROLLCALL', '10.0.0.1'), ...of('ROLLCALL_CONSOLE', '10.0.0.2') }).PORT).toBe(8080)
  })

  it('asks for a public URL when the host is reachable from outside', () => {
    expect(() => readConfig({ ROLLCALL_HOST: '0.0.0.0' })).toThrow(/ROLLCALL_PUBLIC_URL=https/)
    const reachable = { ROLLCALL_HOST: '0.0.0.0', ROLLCALL_PUBLIC_URL: 'https://news.example.com/' }
    expect(readConfig(reachable).publicUrl).toBe('https://news.example.com')
  })

  it('brackets an IPv6 host in links', () => {
    expect(readConfig({ ROLLCALL_HOST: '::1', ROLLCALL_PORT: '81' }).publicUrl).toBe('http://[::1]:81')
  })

  it('takes a secret from a file, and never from both', async () => {
    const file = path.join(folder, 'secret')
    await writeFile(file, `${'s'.repeat(40)}\n`)
    expect(readConfig({ ROLLCALL_SECRET_FILE: file }).SECRET).toBe('s'.repeat(40))
    expect(() => readConfig({ ROLLCALL_SECRET_FILE: file, ROLLCALL_SECRET: 's'.repeat(40) })).toThrow(/not both/)
    expect(() => readConfig({ ROLLCALL_SECRET_FILE: `${file}.gone` })).toThrow(/cannot be read/)
    await writeFile(file, '\n')
    for (const name of ['ROLLCALL_SECRET_FILE', 'ROLLCALL_SMTP_URL_FILE'])
      expect(() => readConfig({ [name]: file })).toThrow(`${name} names the file ${file}, which is empty.`)
  })

  it('reads the URL of the database again from its file, with the schema', async () => {
    const file = path.join(folder, 'url')
    await writeFile(file, 'postgres://rot:old1@db/rot\n', { mode: 0o600 })
    const config = readConfig({ ROLLCALL_DATABASE_URL_FILE: file, ROLLCALL_DATABASE_SCHEMA: 'ours' })
    await writeFile(file, 'postgres://rot:new2@db/rot\n')
    expect(currentPostgresUrl(config)).toBe('postgres://rot:new2@db/rot?schema=ours')
    expect(config.postgresUrl).toBe('postgres://rot:old1@db/rot?schema=ours')
    await rm(file)
    expect(() => currentPostgresUrl(config)).toThrow(/cannot be read/)
    const fixed = { ROLLCALL_DATABASE_URL: 'postgres://rot@db/rot' }
    expect(currentPostgresUrl(readConfig(fixed))).toBe('postgres://rot@db/rot')
  })

  it('takes the tokens of an identity provider where one is set, and never without an audience', () => {
    const issuer = 'https://id.example.com/realms/staff'
    expect(readConfig({}).provider).toBeUndefined()
    const audiences = [
      ['rollcall', ['rollcall']],
      ['rollcall https://api.example.com', ['rollcall', 'https://api.example.com']],
      [' a, b,c ', ['a', 'b', 'c']],
    ] as const
    for (const [text, audience] of audiences)
      expect(readConfig({ ROLLCALL_AUTH_ISSUER: issuer, ROLLCALL_AUTH_AUDIENCE: text }).provider).toEqual({
        ...{ issuer, audience, audienceClaim: 'aud', rolesClaim: 'roles', acceptIdTokens: false },
      })
    const settings = { ROLLCALL_AUTH_ISSUER: issuer, ROLLCALL_AUTH_AUDIENCE: 'a', ROLLCALL_AUTH_ACCEPT_ID_TOKENS: 'on' }
    expect(readConfig(settings).provider?.acceptIdTokens).toBe(true)
    for (const nothing of [{}, { ROLLCALL_AUTH_AUDIENCE: ' , ' }])
      expect(() => readConfig({ ROLLCALL_AUTH_ISSUER: issuer, ...nothing })).toThrow(/ROLLCALL_AUTH_AUDIENCE: say/)
  })

  it('refuses settings of an identity provider without one, unless own tokens use them too', () => {
    const settings = {
      ...{ AUDIENCE: 'api', AUDIENCE_CLAIM: 'azp', JWKS_URL: 'https://id.example.com/keys', ROLES_CLAIM: '/groups' },
      ...{ ROLE_MAP: 'ops=admin', FEEDS_CLAIM: '/groups', SUBJECT_CLAIM: 'oid', ACCEPT_ID_TOKENS: 'on' },
    }
    const given = (name: string, value: string) => readConfig({ [`ROLLCALL_AUTH_${name}`]: value })
    for (const [name, value] of Object.entries(settings))
      expect(() => given(name, value)).toThrow(new RegExp(`AUTH_${name} .*ROLLCALL_AUTH_ISSUER`))
    const own = { ACCEPT_ID_TOKENS: 'off', AUDIENCE: 'rollcall', ROLES_CLAIM: 'roles', SUBJECT_CLAIM: 'sub' }
    for (const [name, value] of Object.entries(own)) expect(given(name, value).provider).toBeUndefined()
  })

  it('reads .env where there is one, and lets the environment win', async () => {
    await writeFile(path.join(folder, '.env'), 'ROLLCALL_PORT=9001\nROLLCALL_TRACE=off\n', { mode: 0o600 })
    const config = readConfig({ ...readEnvironment(folder), ROLLCALL_PORT: '9002' })
    expect(config).toMatchObject({ PORT: 9002, TRACE: 'off' })
  })

  it('reads .env behind a byte order mark, and refuses one that is not in UTF-8', async () => {
    const text = '\u{feff}ROLLCALL_PORT=9001\n'
    const read = async (bytes: Uint8Array) => {
      await writeFile(path.join(folder, '.env'), bytes, { mode: 0o600 })
      return readEnvironment(folder).ROLLCALL_PORT
    }
    expect(await read(Buffer.from(text))).toBe('9001')
    const utf16 = [text, text.slice(1)].map((one) => Buffer.from(one, 'utf16le'))
    for (const bytes of [...utf16, Buffer.from('#é', 'latin1')])
      await expect(read(bytes)).rejects.toThrow('The file .env is not text in UTF-8. Save it as UTF-8.')
  })
})
