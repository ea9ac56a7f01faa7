import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckReport } from '../../../proving/shared/report.ts'
import { AUDIENCE, Keycloak, whyNoKeycloak } from '../pieces/keycloak.ts'
import { Place } from '../pieces/place.ts'
import { postgresIn } from '../pieces/postgres.ts'
import { TOOLS } from '../pieces/tools.ts'
import { WorldRun } from '../world-run.ts'
import { replayOf, type WorldContext, type WorldScenario } from '../world-scenario.ts'

/** Milliseconds: the provider is asked for its keys every five seconds at most. */
const NEW_KEY_WITHIN = 6_000

export const keycloak: WorldScenario = {
  name: 'keycloak',
  about: 'a Keycloak issues the access tokens; its key changes, and it is killed',
  tools: [TOOLS.java],
  whyNot: whyNoKeycloak,
  run: async (context) => {
    using place = new Place()
    context.log('keycloak: starting it takes a minute')
    const provider = await Keycloak.start(place)
    return [await withTokens(context, provider, (await postgresIn(place)).url)]
  },
}

const withTokens = async (context: WorldContext, provider: Keycloak, server: string): Promise<CheckReport> => {
  const settings = {
    AUTH_ISSUER: provider.issuer,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_ROLES_CLAIM: '/realm_access/roles',
  }
  await using run = await WorldRun.create(context, { server, settings })
  const former = await provider.tokenOf('root')
  const service = await run.start(former)
  await judgeTokens(run, provider)
  await run.under('tokens of Keycloak', () => run.calm(context.seconds))
  await run.under('its key changes', async (row) => {
    await run.calm(1)
    await provider.changeKey()
    const token = await provider.tokenOf('root')
    run.fixture.client.token = token
    row.again.push(await accepted(run, token))
    await expectStatus(run, 200, 'a token of the former key', former)
    await run.calm(2)
  })
  await run.under('it is killed', async () => {
    await provider.kill()
    await run.calm(2)
    await expectStatus(run, 200, 'a token while the provider is down', run.fixture.client.token)
  })
  await provider.start()
  await run.end(service)
  return {
    name: 'access tokens of Keycloak',
    store: 'postgres',
    replay: replayOf('keycloak', context, `--seconds ${context.seconds}`),
    findings: run.findings,
    rows: run.rows,
  }
}

const judgeTokens = async (run: WorldRun, provider: Keycloak): Promise<void> => {
  const person = await provider.logIn()
  await expectStatus(run, 200, 'the token of a program with the role admin', await provider.tokenOf('root'))
  await expectStatus(run, 403, 'the token of a program without a role', await provider.tokenOf('plain'))
  await expectStatus(run, 401, 'a token for another audience', await provider.tokenOf('elsewhere'))
  await expectStatus(run, 200, 'the token of a person with the role auditor', person.access_token)
  await expectStatus(run, 401, 'the ID token of that person', person.id_token)
}

const expectStatus = async (run: WorldRun, expected: number, about: string, token: string): Promise<void> => {
  const status = await run.fixture.ask('GET', '/users?limit=1', { token })
  if (status !== expected) run.report('W6', `${about} is answered ${status} instead of ${expected}`)
}

/** Milliseconds until it is accepted; a finding where that takes too long, or it is refused instead of put off. */
const accepted = async (run: WorldRun, token: string): Promise<number> => {
  const began = performance.now()
  for (;;) {
    const status = await run.fixture.ask('GET', '/users?limit=1', { token })
    const after = performance.now() - began
    if (status === 200) return after
    if (status !== 503 || after > NEW_KEY_WITHIN) {
      run.report('W6', `a token of the new key is answered ${status} after ${Math.round(after)} ms`)
      return after
    }
    await sleep(50)
  }
}
