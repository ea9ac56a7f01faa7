import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { RunningImage } from './running-image.ts'

const execute = promisify(execFile)

interface Copy {
  /** The stage that it comes out of; else it comes from the folder of the Containerfile. */
  readonly stage: string | undefined
  readonly mode: string | undefined
  readonly source: string
  readonly destination: string
}

export interface Stage {
  readonly base: string
  readonly name: string | undefined
  readonly workingFolder: string
  readonly commands: readonly string[]
  readonly copies: readonly Copy[]
  readonly environment: Readonly<Record<string, string>>
}

const FROM = /^FROM (?<base>\S+)(?: AS (?<name>\S+))?$/
const WORKDIR = /^WORKDIR (?<folder>\/\S*)$/
const RUN = /^RUN (?<command>npm install [^;&|$`]+)$/
const COPY =
  /^COPY (?:--from=(?<stage>\S+) )?(?:--chmod=(?<mode>[0-7]{3,4}) )?(?<source>[^-\s]\S*) (?<destination>\/\S+)$/
const ENV = /^ENV (?<variables>\w+=\S+(?: \w+=\S+)*)$/

/** What a Containerfile says. One that says anything else than it understands here is refused. */
export const stagesOf = (containerfile: string): readonly Stage[] => {
  const stages: Stage[] = []
  for (const line of containerfile.split('\n').filter((one) => one.trim() !== '')) {
    const from = FROM.exec(line)?.groups
    const stage = stages.pop()
    if (from !== undefined) {
      if (stage !== undefined) stages.push(stage)
      const { base = '', name } = from
      stages.push({ base, name, workingFolder: '/', commands: [], copies: [], environment: {} })
    } else if (stage === undefined) throw new Error(`A Containerfile begins with FROM, and not with: ${line}`)
    else stages.push(withInstruction(stage, line))
  }
  return stages
}

const withInstruction = (stage: Stage, line: string): Stage => {
  const folder = WORKDIR.exec(line)?.groups?.folder
  if (folder !== undefined) return { ...stage, workingFolder: folder }
  const command = RUN.exec(line)?.groups?.command
  if (command !== undefined) return { ...stage, commands: [...stage.commands, command] }
  const copy = COPY.exec(line)?.groups
  if (copy !== undefined) {
    const { stage: of, mode, source = '', destination = '' } = copy
    return { ...stage, copies: [...stage.copies, { stage: of, mode, source, destination }] }
  }
  const variables = ENV.exec(line)?.groups?.variables
  if (variables === undefined) throw new Error(`It is not known what this does: ${line}`)
  const added = Object.fromEntries(variables.split(' ').map((one) => one.split(/=(.*)/s, 2)))
  return { ...stage, environment: { ...stage.environment, ...added } }
}

/**
 * Does to the image, which is unpacked, what the Containerfile in the folder does to the one that it begins with, and
 * answers with the variables to start it with. What other stages run is run here, in folders that stand for their roots.
 */
export const derive = async (
  image: RunningImage,
  stages: readonly Stage[],
  context: string,
): Promise<Readonly<Record<string, string>>> => {
  const last = stages.at(-1)
  if (last === undefined || !/(?:^|\/)rollcall:/.test(last.base))
    throw new Error(`The last stage begins with our image, and not with ${last?.base ?? 'nothing'}.`)
  if (last.commands.length > 0) throw new Error('Our image has no shell that could run a command.')
  const roots = await mkdtemp(path.join(os.tmpdir(), 'rollcall-stages-'))
  try {
    for (const stage of stages.slice(0, -1)) await runHere(stage, path.join(roots, stage.name ?? ''))
    for (const { stage, mode, source, destination } of last.copies) {
      const from = stage === undefined ? context : path.join(roots, stage)
      await image.copyIn(path.join(from, source), destination, mode)
    }
  } finally {
    await rm(roots, { recursive: true, force: true })
  }
  return last.environment
}

const runHere = async ({ base, name, workingFolder, commands, copies }: Stage, root: string): Promise<void> => {
  const node = `node:${process.versions.node.split('.')[0]}`
  if (base !== node) throw new Error(`The stage ${name} begins with ${base}. What runs here runs on ${node}.`)
  if (name === undefined || copies.length > 0) throw new Error(`The stage ${name} is one that installs packages only.`)
  const cwd = path.join(root, workingFolder)
  await mkdir(cwd, { recursive: true })
  for (const command of commands) await execute('sh', ['-c', `umask 022 && ${command} --no-audit --no-fund`], { cwd })
}
