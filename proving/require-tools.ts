// Looks for what the system tests need before any of them runs: a test that skips itself proves nothing.
import { spawnSync } from 'node:child_process'
import { chromium } from 'playwright-core'
import { missingForDeploy } from '../deploy/testing/missing-tools.ts'
import { findSchemathesis, HOW_TO_GET_SCHEMATHESIS } from '../packages/http-koa/test/support/schemathesis.ts'
import { binaryFolders, HOW_TO_GET_ONE } from '../packages/storage-sql/test/postgres-server/find-postgres.ts'
import { whyNotTraced } from './power-loss/recorder.ts'
import { findProgram, isExecutable } from './world/tools.ts'

const { CHROME_PATH = '', TEST_POSTGRES_URL = '' } = process.env
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const isThere = (name: string): boolean => findProgram(name) !== undefined

/** What to install; undefined if nothing is missing. */
type Missing = string | undefined

const browser = (): Missing => {
  if (CHROME_PATH !== '')
    return isExecutable(CHROME_PATH)
      ? undefined
      : `CHROME_PATH is ${CHROME_PATH}, which cannot be executed: set it to a Chromium or a Chrome.`
  if (BROWSERS.some(isThere) || isExecutable(chromium.executablePath())) return undefined
  return 'Chromium is missing, which pages and mails are tested in: run `apt-get install chromium` or `npx playwright-core install chromium`, or set CHROME_PATH to an installed one.'
}

const tool = (name: string, purpose: string, debianPackage = name): Missing =>
  isThere(name) ? undefined : `${name} is missing, ${purpose}: \`apt-get install ${debianPackage}\`.`

const terminal = (): Missing => {
  const missing = tool('script', 'which provides the terminals that commands are tested on', 'bsdutils')
  if (missing !== undefined) return missing
  const { status, stdout } = spawnSync('script', ['-qec', 'tty', '/dev/null'], { encoding: 'utf8' })
  return status === 0 && stdout.includes('/dev/')
    ? undefined
    : 'No terminal can be opened, which commands are tested on: mount devpts (`mount -t devpts devpts /dev/pts`).'
}

const missing = (): Missing[] =>
  process.platform !== 'linux'
    ? ['The system tests need Linux, as they record system calls: run them there, for example in a container.']
    : [
        browser(),
        tool('postconf', 'which is part of Postfix, the mail server that must accept every mail', 'postfix'),
        tool('dovecot', 'the mail server whose mailboxes are read', 'dovecot-imapd'),
        tool('pgbouncer', 'the pooler in front of PostgreSQL'),
        tool('nginx', 'the proxy that a guide sets up', 'nginx-light'),
        tool('git', 'which lists the files of a clone'),
        tool('curl', 'which the README asks for'),
        tool('pip', 'which fetches bounces that others collected, and what signs as Amazon does', 'python3-pip'),
        tool('mvn', 'which fetches Keycloak', 'maven'),
        tool('java', 'which Keycloak runs on', 'default-jre-headless'),
        whyNotTraced(),
        terminal(),
        findSchemathesis() === undefined ? HOW_TO_GET_SCHEMATHESIS : undefined,
        tool('bash', 'which completion is tested in'),
        tool('zsh', 'which completion is tested in'),
        tool('fish', 'which completion is tested in'),
        ...missingForDeploy(isThere),
        tool('ip', 'which gives the systemd that is booted a loopback', 'iproute2'),
        tool('dbus-daemon', 'which the systemd that is booted is spoken to by', 'dbus'),
        TEST_POSTGRES_URL !== '' || binaryFolders().length > 0 ? undefined : HOW_TO_GET_ONE,
      ]

const sentences = missing().filter((sentence) => sentence !== undefined)
for (const sentence of sentences) process.stderr.write(`${sentence}\n`)
if (sentences.length > 0) process.exitCode = 1
