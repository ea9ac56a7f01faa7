/**
 * All that runs in the browser, and nothing needs it: it sends a form once, presses the button that goes on with a
 * deletion, for as long as the page that shows it is open, shows a feed's face while it is changed, and tells times in the
 * zone of the reader.
 */
export const SCRIPT = `'use strict'
{
  const form = document.querySelector('form[data-goes-on]')
  if (form) {
    const box = document.getElementById('goes-on')
    let timer
    const start = () => { timer = setTimeout(() => form.requestSubmit(), 150) }
    box.hidden = false
    const tick = box.querySelector('input')
    tick.checked = true
    tick.addEventListener('change', () => (tick.checked ? start() : clearTimeout(timer)))
    start()
  }
}
{
  // What is shown once, such as a token, would be on the page that the second answer takes the place of.
  let sent = new WeakSet()
  document.addEventListener('submit', (event) => {
    if (event.defaultPrevented || event.target.method !== 'post' || event.submitter?.formTarget) return
    if (sent.has(event.target)) event.preventDefault()
    sent.add(event.target)
  })
  // What was stopped or comes back may be sent again.
  const again = () => { sent = new WeakSet() }
  document.addEventListener('input', again)
  addEventListener('pageshow', again)
}
{
  const live = document.querySelector('button[data-live]')
  if (live) {
    let timer
    const show = () => live.form.requestSubmit(live)
    live.form.addEventListener('input', ({ target }) => {
      clearTimeout(timer)
      if (target.type !== 'file' || target.files.length > 0) timer = setTimeout(show, 600)
    })
  }
}
{
  const zones = document.getElementById('zones')
  const KEY = 'rollcall-utc'
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  const times = [...document.querySelectorAll('time[datetime*=T]')].map((time) => [time, time.innerHTML])
  const show = (utc) => {
    for (const [time, exact] of times) {
      const own = format.format(new Date(time.dateTime))
      if (utc) time.innerHTML = exact
      else time.textContent = own
      time.title = utc ? own : time.dateTime
    }
  }
  const kept = { get: () => { try { return localStorage.getItem(KEY) } catch { return null } },
    set: (on) => { try { on ? localStorage.setItem(KEY, '1') : localStorage.removeItem(KEY) } catch {} } }
  if (zones) {
    const [own, exact] = zones.querySelectorAll('[data-zone]')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'second'
    let utc = kept.get() !== null
    const apply = () => {
      show(utc)
      own.hidden = utc
      exact.hidden = !utc
      button.textContent = utc ? zones.dataset.own : zones.dataset.utc
    }
    own.querySelector('b').textContent = Intl.DateTimeFormat().resolvedOptions().timeZone
    button.addEventListener('click', () => { utc = !utc; kept.set(utc); apply() })
    zones.append(button)
    apply()
  }
}
`
