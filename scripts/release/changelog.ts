import { readFileSync } from 'node:fs'
import path from 'node:path'

const UNRELEASED = '## Unreleased'

/** The changelog with what was unreleased under the version and the day. @throws {Error} nothing was unreleased */
export const withRelease = (changelog: string, version: string, day: string): string => {
  if (sectionOf(changelog, UNRELEASED) === '')
    throw new Error(`CHANGELOG.md has nothing under "${UNRELEASED}": say there what has changed.`)
  return changelog.replace(`${UNRELEASED}\n`, () => `${UNRELEASED}\n\n## ${version} (${day})\n`)
}

/** What the changelog says of a version. @throws {Error} nothing */
export const notesOf = (changelog: string, version: string): string => {
  const heading = changelog.split('\n').find((line) => line === `## ${version}` || line.startsWith(`## ${version} (`))
  const notes = heading === undefined ? '' : sectionOf(changelog, heading)
  if (notes === '') throw new Error(`CHANGELOG.md says nothing about ${version}.`)
  return notes
}

const sectionOf = (changelog: string, heading: string): string => {
  const lines = changelog.split('\n')
  const start = lines.indexOf(heading)
  if (start < 0) return ''
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '))
  return lines
    .slice(start + 1, next < 0 ? undefined : next)
    .join('\n')
    .trim()
}

const [version] = process.argv.slice(2)
if (import.meta.main && version !== undefined) {
  const changelog = readFileSync(path.join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  process.stdout.write(`${notesOf(changelog, version.replace(/^v/, ''))}\n`)
}
