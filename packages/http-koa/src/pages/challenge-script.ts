import { hash } from 'node:crypto'
import { type Html, html } from '@rollcall/platform-node'

/**
 * Solves a challenge in a browser: in a worker, which runs this same file, or in the page if a worker is not
 * possible, as on another site. It begins when a person focuses the form, shows its progress, and delays a form that is
 * sent too soon until it is done. A solution is valid once, so each submission gets its own.
 */
export const CHALLENGE_SCRIPT = `(() => {
  'use strict'
  const LIFE = 480000
  const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16))
  const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

  const solve = async ({ parameters }) => {
    const { algorithm, cost, keyLength, keyPrefix, nonce, salt } = parameters
    const derivation = { name: 'PBKDF2', hash: algorithm.replace('PBKDF2/', ''), salt: bytesOf(salt), iterations: cost }
    const password = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0])
    const view = new DataView(password.buffer)
    for (let counter = 0; ; counter++) {
      view.setUint32(password.length - 4, counter)
      const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
      const derivedKey = hexOf(new Uint8Array(await crypto.subtle.deriveBits(derivation, key, keyLength * 8)))
      if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey }
    }
  }

  if (typeof document === 'undefined') {
    onmessage = ({ data }) => solve(data).then(postMessage, () => postMessage(null))
    return
  }

  const source = document.currentScript.src
  const solveInWorker = (challenge) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(source)
      const end = (settle) => ({ data }) => {
        worker.terminate()
        settle(data)
      }
      worker.onmessage = end((solution) => (solution ? resolve(solution) : reject()))
      worker.onerror = end(reject)
      worker.postMessage(challenge)
    })

  const solutionOf = async (url) => {
    const answer = await fetch(url, { cache: 'no-store', credentials: 'omit' })
    if (!answer.ok) throw new Error('there is no challenge')
    const challenge = await answer.json()
    const solution = await solveInWorker(challenge).catch(() => solve(challenge))
    return btoa(JSON.stringify({ challenge, solution }))
  }

  const element = (name, attributes) => Object.assign(document.createElement(name), attributes)

  const guard = (form) => {
    const { challenge, working, done, failed } = form.dataset
    const field = element('input', { type: 'hidden', name: 'altcha' })
    const progress = element('progress', { hidden: true })
    progress.setAttribute('aria-hidden', 'true')
    const status = element('div', { className: 'challenge' })
    status.setAttribute('role', 'status')
    form.append(field)
    const button = form.querySelector('[type="submit"]')
    button.after(progress, status)

    let current
    let held = false
    const say = (text, busy) => {
      status.textContent = text
      progress.hidden = !busy
    }
    const forget = () => {
      current = undefined
      field.value = ''
    }
    const begin = () => {
      if (current && Date.now() - current.since < LIFE) return current.solution
      forget()
      const mine = { since: Date.now() }
      current = mine
      say(working, true)
      mine.solution = solutionOf(challenge).then((solution) => {
        if (current === mine) {
          field.value = solution
          say(done, false)
        }
        return solution
      })
      mine.solution.catch(() => {
        if (current !== mine) return
        forget()
        say(failed, false)
      })
      return mine.solution
    }

    form.addEventListener('focusin', ({ target }) => {
      if (target !== button) begin().catch(() => {})
    })
    form.addEventListener('submit', async (event) => {
      if (field.value && Date.now() - current.since < LIFE) {
        setTimeout(forget)
        return
      }
      event.preventDefault()
      if (held) return
      held = true
      try {
        await begin()
        form.requestSubmit(event.submitter)
      } catch {
      } finally {
        held = false
      }
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return
      forget()
      say('', false)
    })
  }

  const ready = () => document.querySelectorAll('form[data-challenge]').forEach(guard)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', ready)
  else ready()
})()
`

/** Changes with the script, so that a URL with the version may be cached without limit. */
export const CHALLENGE_SCRIPT_VERSION = hash('sha256', CHALLENGE_SCRIPT, 'hex').slice(0, 16)

/** The element that loads the script, from beside the page. */
export const challengeScript = (nonce: string): Html =>
  html`<script src="challenge.js?v=${CHALLENGE_SCRIPT_VERSION}" nonce="${nonce}" defer></script>`
