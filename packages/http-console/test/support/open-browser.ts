import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * A real Chromium that finds this machine, by its own name and by one that an attacker has point here, and no other.
 * @throws {Error} no browser is installed; says how to get one
 */
export const openBrowser = async (): Promise<Browser> =>
  await chromium.launch({
    executablePath: executablePath(),
    // Chromium's sandbox does not work as root, which runs tests in a container.
    args: [
      '--no-sandbox',
      '--host-resolver-rules=MAP localhost 127.0.0.1,MAP rebound.example 127.0.0.1,MAP * ~NOTFOUND',
    ],
  })

const executablePath = (): string => {
  const { CHROME_PATH, PATH = '' } = process.env
  const folders = PATH.split(path.delimiter)
  const candidates = [
    ...(CHROME_PATH ? [CHROME_PATH] : []),
    ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    chromium.executablePath(),
  ]
  const found = candidates.find((candidate) => existsSync(candidate))
  if (found === undefined) {
    throw new Error(
      'The pages are tested in a real Chromium, but none is installed. Install one with `apt-get install chromium` or ' +
        '`npx playwright-core install chromium`, or set CHROME_PATH to the one that you have.',
    )
  }
  return found
}
