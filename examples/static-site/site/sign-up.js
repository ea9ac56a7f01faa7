// Without this script the form works all the same: Rollcall leads back here, or shows what is wrong on a page of its own.
const form = document.querySelector('.rollcall-form')
const status = document.createElement('p')
// A live region is read out when its text changes, so it must be there before.
status.setAttribute('role', 'status')
form.append(status)

const say = (message) => {
  status.textContent = message
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  say('')
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams(new FormData(form)),
      signal: AbortSignal.timeout(20_000),
    })
    if (response.ok) {
      location.assign(form.elements.return_to.value)
      return
    }
    const { message, details = [] } = await response.json()
    say(details.map((problem) => problem.message).join(' ') || message)
    const wrong = form.elements[details[0]?.field]
    wrong?.setAttribute('aria-invalid', 'true')
    wrong?.focus()
  } catch {
    say('The sign-up could not be sent. Try again in a minute.')
  } finally {
    button.disabled = false
  }
})

form.addEventListener('input', ({ target }) => target.removeAttribute('aria-invalid'))
