import { expect, test } from 'bun:test'
import { html, page } from './page.ts'

test('escapes values in HTML', () => {
  const evil = `"><script>alert('1')</script>&`
  const safe = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;'
  expect(html`<p title="${evil}">${evil}</p>`.html).toBe(`<p title="${safe}">${safe}</p>`)
  expect(html`<ul>${[html`<li>${evil}</li>`]}</ul>`.html).toBe(`<ul><li>${safe}</li></ul>`)
  expect(page({ title: evil, parts: [] })).toContain(`<title>${safe} · Mailroom</title>`)
})
