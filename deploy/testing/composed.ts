import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'

const COMPOSE = path.join(import.meta.dirname, '../compose')

/** What tests look at of a service. */
export interface Service {
  readonly environment: Readonly<Record<string, string | null>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
  readonly volumes?: readonly (
    | string
    | { readonly source: string; readonly target: string; readonly read_only?: boolean }
  )[]
  readonly ports?: readonly (
    | string
    | { readonly host_ip: string; readonly published: string; readonly target: number }
  )[]
}

/** The files as Compose itself reads them, with what they take from the environment. */
export const composed = async (file: string | readonly string[], environment: Readonly<Record<string, string>>) => {
  const files = [file].flat().flatMap((one) => ['--file', one])
  const env = { PATH: process.env.PATH, ...environment }
  const { stdout } = await promisify(execFile)('docker-compose', [...files, 'config'], { cwd: COMPOSE, env })
  return parse(stdout).services as Readonly<Record<string, Service>>
}

/** Compose 1 writes it as a text. */
export const portIn = (port: NonNullable<Service['ports']>[number]): string =>
  typeof port === 'string' ? port.replace(/\/tcp$/, '') : `${port.host_ip}:${port.published}:${port.target}`
