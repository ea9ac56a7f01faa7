import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../../../packages/app/test/free-port.ts'
import { serverAccount } from '../../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import type { Daemon } from './daemon.ts'
import type { Place } from './place.ts'

/** Milliseconds: its first start builds it. */
const LONGEST_START = 180_000
const REALM = 'staff'
const SECRET = 'not-much-of-a-secret-but-long-enough'
const ADMIN = { username: 'world', password: SECRET }
const PERSON = { username: 'eve', password: SECRET }

export const AUDIENCE = 'rollcall'

/** What programs and persons log in as, and what their tokens have. */
const CLIENTS = [
  { clientId: 'root', roles: ['admin'], audience: true },
  { clientId: 'plain', roles: [], audience: true },
  { clientId: 'elsewhere', roles: ['admin'], audience: false },
  { clientId: 'app', roles: [], audience: true },
] as const

export type KeycloakClient = (typeof CLIENTS)[number]['clientId']

/** What to do where Keycloak is not at hand; undefined where it is. */
export const whyNoKeycloak = (): string | undefined => {
  const home = process.env.KEYCLOAK_HOME
  if (!home)
    return 'Debian has no Keycloak: unpack one (https://www.keycloak.org/downloads; Maven has org.keycloak:keycloak-quarkus-dist) and name its folder with KEYCLOAK_HOME.'
  if (!existsSync(path.join(home, 'bin/kc.sh'))) return `KEYCLOAK_HOME is ${home}, where there is no bin/kc.sh.`
  return undefined
}

/** A Keycloak of its own, with a realm. */
export class Keycloak {
  readonly #place: Place
  readonly #folder: string
  readonly #port: number
  #daemon: Daemon | undefined

  private constructor(place: Place, folder: string, port: number) {
    this.#place = place
    this.#folder = folder
    this.#port = port
  }

  static async start(place: Place): Promise<Keycloak> {
    const folder = path.join(place.make('keycloak'), 'home')
    // It writes into its own folder.
    cpSync(process.env.KEYCLOAK_HOME ?? '', folder, { recursive: true })
    mkdirSync(path.join(folder, 'data/import'), { recursive: true })
    writeFileSync(path.join(folder, 'data/import/realm.json'), JSON.stringify(realm()))
    const { uid, gid } = serverAccount()
    if (uid !== undefined) spawnSync('chown', ['-R', `${uid}:${gid}`, folder])
    const keycloak = new Keycloak(place, folder, await freePort())
    await keycloak.start()
    return keycloak
  }

  get issuer(): string {
    return `${this.#url}/realms/${REALM}`
  }

  /** Once more, after it was killed. */
  async start(): Promise<void> {
    const options = ['--http-host=127.0.0.1', `--http-port=${this.#port}`, '--import-realm', '--log-level=warn']
    const daemon = this.#place.run({
      name: 'Keycloak',
      command: [path.join(this.#folder, 'bin/kc.sh'), 'start-dev', ...options],
      cwd: this.#folder,
      env: {
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
        JAVA_OPTS_KC_HEAP: '-Xms128m -Xmx640m',
      },
    })
    this.#daemon = daemon
    const isReady = async () =>
      (await fetch(`${this.issuer}/.well-known/openid-configuration`).catch(() => undefined))?.ok === true
    await daemon.until(isReady, 'did not start', LONGEST_START)
  }

  async kill(): Promise<void> {
    this.#daemon?.killAll()
    await this.#daemon?.ended()
  }

  /** An access token of a program. */
  async tokenOf(client: KeycloakClient): Promise<string> {
    const credentials = { client_id: client, client_secret: SECRET }
    return (await this.#tokens(REALM, { grant_type: 'client_credentials', ...credentials })).access_token
  }

  /** Both tokens of a person who has logged in, an auditor. */
  async logIn(): Promise<{ readonly access_token: string; readonly id_token: string }> {
    const credentials = { client_id: 'app', client_secret: SECRET, ...PERSON }
    const { access_token, id_token = '' } = await this.#tokens(REALM, {
      grant_type: 'password',
      scope: 'openid',
      ...credentials,
    })
    return { access_token, id_token }
  }

  /** From now on another key signs; the former one is still published. */
  async changeKey(): Promise<void> {
    const { access_token } = await this.#tokens('master', { grant_type: 'password', client_id: 'admin-cli', ...ADMIN })
    const component = {
      name: `key-${Date.now()}`,
      parentId: REALM,
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: [`${Math.floor(Date.now() / 1_000)}`], algorithm: ['RS256'], active: ['true'] },
    }
    const answer = await fetch(`${this.#url}/admin/realms/${REALM}/components`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(component),
    })
    if (!answer.ok) throw new Error(`Keycloak made no new key: ${answer.status} ${await answer.text()}`)
  }

  get #url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async #tokens(realmName: string, form: Readonly<Record<string, string>>) {
    const url = `${this.#url}/realms/${realmName}/protocol/openid-connect/token`
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
    if (!answer.ok) throw new Error(`Keycloak gave no token: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { readonly access_token: string; readonly id_token?: string }
  }
}

const AUDIENCE_MAPPER = {
  name: 'audience',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.custom.audience': AUDIENCE, 'access.token.claim': 'true', 'id.token.claim': 'false' },
}

const realm = () => ({
  id: REALM,
  realm: REALM,
  enabled: true,
  sslRequired: 'none',
  accessTokenLifespan: 3_600,
  roles: { realm: [{ name: 'admin' }, { name: 'auditor' }] },
  clients: CLIENTS.map(({ clientId, audience }) => ({
    clientId,
    secret: SECRET,
    enabled: true,
    publicClient: false,
    standardFlowEnabled: false,
    serviceAccountsEnabled: true,
    directAccessGrantsEnabled: clientId === 'app',
    protocolMappers: audience ? [AUDIENCE_MAPPER] : [],
  })),
  users: [
    ...CLIENTS.map(({ clientId, roles }) => ({
      username: `service-account-${clientId}`,
      serviceAccountClientId: clientId,
      enabled: true,
      realmRoles: roles,
    })),
    {
      username: PERSON.username,
      email: 'eve@example.com',
      emailVerified: true,
      firstName: 'Eve',
      lastName: 'Example',
      enabled: true,
      credentials: [{ type: 'password', value: PERSON.password }],
      realmRoles: ['auditor'],
    },
  ],
})
