import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * A real Chromium.
 * @throws {Error} none is installed; says how to get one
 */
export const openBrowser = async (): Promise<Browser> => {
  const { CHROME_PATH, PATH = '' } = process.env
  const installed = PATH.split(path.delimiter).flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
  const executablePath = [...(CHROME_PATH ? [CHROME_PATH] : []), ...installed, chromium.executablePath()].find(
    existsSync,
  )
  if (executablePath === undefined)
    throw new Error(
      'There is no Chromium. Install one: `apt-get install chromium` or `npx playwright-core install chromium`.',
    )
  // As root, which is who runs tests in a container, Chromium's own sandbox cannot be had.
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
