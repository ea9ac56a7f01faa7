// What the system tests need is looked for before any of them runs: a test that skips itself proves nothing.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { binaryFolders, HOW_TO_GET_ONE } from '../packages/storage-sql/test/postgres-server/find-postgres.ts'
import { whyNotTraced } from './power-loss/recording/tracer.ts'

const { CHROME_PATH = '', PATH = '', TEST_POSTGRES_URL = '' } = process.env
// An ordinary user has not on the path what is for administrators.
const FOLDERS = [...PATH.split(path.delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin']
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

const isThere = (name: string): boolean => FOLDERS.some((folder) => isExecutable(path.join(folder, name)))

/** Undefined where it is there. */
type Missing = string | undefined

const browser = (): Missing => {
  if (CHROME_PATH !== '')
    return isExecutable(CHROME_PATH)
      ? undefined
      : `CHROME_PATH names ${CHROME_PATH}, which is no program: set it to a Chromium or a Chrome.`
  if (BROWSERS.some(isThere) || isExecutable(chromium.executablePath())) return undefined
  return 'Chromium is missing, in which pages and mails are tested: `apt-get install chromium`, or `npx playwright-core install chromium`, or set CHROME_PATH to the one that you have.'
}

const tool = (name: string, purpose: string, debianPackage = name): Missing =>
  isThere(name) ? undefined : `${name} is missing, ${purpose}: \`apt-get install ${debianPackage}\`.`

const terminal = (): Missing => {
  const missing = tool('script', 'which makes the terminals that commands are tested on', 'bsdutils')
  if (missing !== undefined) return missing
  const { status, stdout } = spawnSync('script', ['-qec', 'tty', '/dev/null'], { encoding: 'utf8' })
  return status === 0 && stdout.includes('/dev/')
    ? undefined
    : 'No terminal can be opened, on which commands are tested: mount devpts (`mount -t devpts devpts /dev/pts`), as every container runtime does.'
}

const missing = (): Missing[] =>
  process.platform !== 'linux'
    ? ['The system tests need Linux, for they record system calls: run them there, in a container for example.']
    : [
        browser(),
        tool('postconf', 'which belongs to Postfix, the mail server that must take every mail', 'postfix'),
        tool('pgbouncer', 'the pooler in front of PostgreSQL'),
        whyNotTraced(),
        terminal(),
        tool('bash', 'which completes commands'),
        tool('zsh', 'which completes commands'),
        tool('fish', 'which completes commands'),
        TEST_POSTGRES_URL !== '' || binaryFolders().length > 0 ? undefined : HOW_TO_GET_ONE,
      ]

const sentences = missing().filter((sentence) => sentence !== undefined)
for (const sentence of sentences) process.stderr.write(`${sentence}\n`)
if (sentences.length > 0) process.exitCode = 1
