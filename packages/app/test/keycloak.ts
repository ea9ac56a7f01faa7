import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

const VERSION = '26.5.6'
const FOLDER = path.join(import.meta.dirname, '../../../node_modules/.cache/keycloak')
const HOME = path.join(FOLDER, `keycloak-${VERSION}`)
const PASSWORD = 'not-much-of-a-secret'
/** What its tokens name; nothing answers there, as in a container that only its own network leads to. */
const OUTER = 'https://id.example.com'

const audience = {
  name: 'audience',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.custom.audience': 'rollcall', 'access.token.claim': 'true' },
}
const groups = {
  name: 'groups',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-group-membership-mapper',
  config: { 'claim.name': 'groups', 'full.path': 'true', 'access.token.claim': 'true', 'id.token.claim': 'true' },
}
const client = (clientId: string, protocolMappers: readonly object[]) => {
  return { clientId, publicClient: true, directAccessGrantsEnabled: true, fullScopeAllowed: true, protocolMappers }
}

/** `ada` has the realm role admin, and is in the group /rollcall/readers. Only tokens of `shop` are for `rollcall`. */
const STAFF = {
  realm: 'staff',
  enabled: true,
  sslRequired: 'none',
  clients: [client('shop', [audience, groups]), client('plain', [])],
  roles: { realm: [{ name: 'admin' }] },
  groups: [{ name: 'rollcall', subGroups: [{ name: 'readers' }] }],
  users: [
    {
      ...{ username: 'ada', enabled: true, emailVerified: true, email: 'ada@example.com' },
      ...{ firstName: 'Ada', lastName: 'Lovelace', realmRoles: ['admin'], groups: ['/rollcall/readers'] },
      credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
    },
  ],
}

interface Tokens {
  readonly access_token: string
  readonly id_token: string
  readonly refresh_token: string
}

/** A real Keycloak, which Maven Central gives; its data is in memory. */
export class Keycloak implements AsyncDisposable {
  /** Where it answers. */
  readonly url: string
  readonly #child: ChildProcess
  #log = ''

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#log += text
      })
  }

  static async start(): Promise<Keycloak> {
    if (!existsSync(HOME)) await fetchKeycloak()
    const [port, management] = [await freePort(), await freePort()]
    const options = {
      ...{ db: 'dev-mem', hostname: OUTER, 'hostname-backchannel-dynamic': 'true', 'http-enabled': 'true' },
      ...{ 'http-host': '127.0.0.1', 'http-port': port, 'http-management-port': management, cache: 'local' },
    }
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    const env = { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: 'root', KC_BOOTSTRAP_ADMIN_PASSWORD: PASSWORD }
    const child = spawn(path.join(HOME, 'bin/kc.sh'), ['start-dev', ...args], { env, stdio: 'pipe' })
    const self = new Keycloak(`http://127.0.0.1:${port}`, child)
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(self.#log)
      return await fetch(`${self.url}/realms/master`).then(
        ({ ok }) => ok,
        () => false,
      )
    }, 'that Keycloak answers')
    await self.#administer('', STAFF)
    return self
  }

  get issuer(): string {
    return `${OUTER}/realms/staff`
  }

  get jwksUrl(): string {
    return `${this.url}/realms/staff/protocol/openid-connect/certs`
  }

  /** What `ada` gets at a client. */
  tokens(clientId: 'plain' | 'shop'): Promise<Tokens> {
    return this.#logIn('staff', clientId, 'ada')
  }

  /** From now on it signs with another key. */
  async rotate(): Promise<void> {
    const config = { priority: ['200'], keySize: ['2048'], algorithm: ['RS256'] }
    const providerType = 'org.keycloak.keys.KeyProvider'
    await this.#administer('/staff/components', { name: 'newer', providerId: 'rsa-generated', providerType, config })
  }

  async #logIn(realm: string, clientId: string, username: string): Promise<Tokens> {
    const answer = await fetch(`${this.url}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'password', client_id: clientId, username, password: PASSWORD, scope: 'openid' },
      }),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Tokens
  }

  async #administer(place: string, body: object): Promise<void> {
    const { access_token } = await this.#logIn('master', 'admin-cli', 'root')
    const answer = await fetch(`${this.url}/admin/realms${place}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }
}

const fetchKeycloak = async (): Promise<void> => {
  await mkdir(FOLDER, { recursive: true })
  const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`
  await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${FOLDER}`])
  const unpacked = path.join(FOLDER, `new-${process.pid}`)
  await mkdir(unpacked)
  await run('tar', ['-xzf', path.join(FOLDER, `keycloak-quarkus-dist-${VERSION}.tar.gz`), '-C', unpacked])
  await run('mv', [path.join(unpacked, path.basename(HOME)), HOME])
  await run('rm', ['-r', unpacked])
}
