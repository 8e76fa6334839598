// Identifies the holder of a token, a browser session or a sign-in code. This is the only place that compares a secret
// with the stored digest. Whatever is wrong with a secret, the result is null. Only the holder of a token that was once
// valid can find out whether it expired or was revoked.

import {
  CODE_BYTES,
  composeCode,
  composeToken,
  endedRefusal,
  endOfToken,
  isCodeForm,
  isGood,
  isSameText,
  principalOf,
  SECRET_BYTES,
  type StoredToken,
  TOKEN_HASH,
  TOKEN_PAGE_HASH,
  TOKEN_USED,
  type TokenKind,
  tokenIdIn,
} from '../../core/identity/token.ts'
import type { TokenFacts } from '../../core/identity/token-record.ts'
import type { Principal } from '../../core/principal.ts'
import type { Store } from '../../core/store.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { digest } from '../kit/digest.ts'
import type { Context } from '../kit/operation.ts'

/** Uses are recorded at most this often, because otherwise every call would be a write. */
const TOKEN_SIGHT_SECONDS = 600
export const CODE_SECONDS = 600
export const SESSION_SECONDS = 30 * 86_400

/** Identifies the caller of an `Authorization: Bearer` header. */
export function identify(store: Store, bearer: string): Promise<Principal | null> {
  return known(store, bearer, 'token')
}

/**
 * Identifies the caller behind a browser's cookie. The page's key proves more: browsers send the cookie to every server
 * on the host, but the key stays in the page's own storage. A wrong key identifies no one.
 */
export async function identifySession(
  store: Store,
  cookie: string,
  pageKey: string | null = null,
): Promise<Principal | null> {
  const principal = await known(store, cookie, 'session')
  if (principal === null || pageKey === null) return principal
  const [token, hash] = await Promise.all([
    store.token(principal.token_id as string),
    digest(pageKey),
  ])
  if (token === null || token.page_hash === '' || !isSameText(hash, token.page_hash)) return null
  return { ...principal, proof: 'page' }
}

/** Returns whether the presented token expired or was revoked. Null if it's valid or its secret is wrong. */
export async function endOfShown(
  store: Store,
  bearer: string,
): Promise<ReturnType<typeof endOfToken>> {
  const tokenId = tokenIdIn(bearer)
  if (tokenId === null) return null
  const [token, now, hash] = await Promise.all([store.token(tokenId), store.now(), digest(bearer)])
  const isShown = token !== null && token.kind === 'token' && isSecretOf(token, hash)
  return isShown ? endOfToken({ ...token, now }) : null
}

/** Throws if the token has expired or been revoked since its holder was identified. */
export async function mustStillBeGood(
  store: Pick<Store, 'tokenStanding'>,
  tokenId: string,
): Promise<void> {
  const ended = endedRefusal(await store.tokenStanding(tokenId))
  if (ended !== null) throw ended
}

export type BrowserSession = {
  secret: string
  /** The page's key. Only its digest is stored. */
  pageKey: string
  principal: Principal
  expires_at: Instant
}

/** Whether the code would work now. Doesn't use it up. */
export async function isGoodCode(store: Store, code: string): Promise<boolean> {
  return (await goodCode(store, code)) !== null
}

async function goodCode(store: Store, code: string): Promise<StoredToken | null> {
  if (!isCodeForm(code)) return null
  const [now, hash] = await Promise.all([store.now(), digest(code)])
  const token = await store.code(hash, plusSeconds(now, -CODE_SECONDS))
  return token !== null && opens(token, { hash, kind: 'code', now }) ? token : null
}

/** If several callers present the same code concurrently, only the first one gets the session. */
export async function redeemCode(
  { store, makeId }: Pick<Context, 'store' | 'makeId'>,
  code: string,
): Promise<BrowserSession | null> {
  // This check takes no lock, so callers with invalid codes don't block writers.
  const found = await goodCode(store, code)
  if (found === null) return null
  const { token_id: codeId, hash } = found
  const sessionId = makeId('token')
  const [made, page] = await Promise.all([makeSecret(sessionId), makeSecret(sessionId)])
  const { value: facts } = await store.write(async (tx) => {
    await tx.lockRecords()
    const [token, now] = await Promise.all([tx.token(codeId), tx.now()])
    if (token === null || !opens(token, { hash, kind: 'code', now })) return null
    const { principal_kind, principal_name, workspace_id, sets } = token
    const facts = {
      type: 'token_issue',
      token_id: sessionId,
      kind: 'session',
      principal_kind,
      principal_name,
      workspace_id,
      sets,
      label: '',
      expires_at: plusSeconds(now, SESSION_SECONDS),
    } as const
    const event = { agent: principal_name, at: now }
    tx.recordStoreEvent({ ...event, facts: { type: 'token_revoke', token_id: codeId } })
    tx.recordStoreEvent({ ...event, facts })
    tx.keep(TOKEN_HASH, { token_id: sessionId, hash: made.hash })
    tx.keep(TOKEN_PAGE_HASH, { token_id: sessionId, page_hash: page.hash })
    return facts
  })
  if (facts === null) return null
  return { ...sessionFrom(facts), secret: made.secret, pageKey: page.secret }
}

function sessionFrom(
  facts: Extract<TokenFacts, { type: 'token_issue' }> & { expires_at: Instant },
): Pick<BrowserSession, 'principal' | 'expires_at'> {
  const { type: _, may = [], ...token } = facts
  const issued = { issued_by: '', issued_at: '', revoked_at: null }
  return { principal: principalOf({ ...token, may, ...issued }), expires_at: facts.expires_at }
}

async function known(store: Store, text: string, kind: TokenKind): Promise<Principal | null> {
  const tokenId = tokenIdIn(text)
  if (tokenId === null) return null
  const [token, now, hash] = await Promise.all([store.token(tokenId), store.now(), digest(text)])
  if (token === null || !opens(token, { hash, kind, now })) return null
  if (token.last_used_at === '' || plusSeconds(token.last_used_at, TOKEN_SIGHT_SECONDS) <= now) {
    await sight(store, tokenId, now)
  }
  return principalOf(token)
}

function opens(
  token: StoredToken,
  { hash, kind, now }: { hash: string; kind: TokenKind; now: Instant },
): boolean {
  return isSecretOf(token, hash) && token.kind === kind && isGood(token, now)
}

function isSecretOf(token: StoredToken, hash: string): boolean {
  const isSame = isSameText(hash, token.hash)
  return isSame && token.hash !== ''
}

async function sight(store: Store, tokenId: string, now: Instant): Promise<void> {
  try {
    await store.write(async (tx) => {
      tx.keep(TOKEN_USED, { token_id: tokenId, at: now })
      return null
    })
  } catch {
    // Ignore errors: the time of use is only shown to people, and access doesn't depend on it.
  }
}

export async function makeCode(): Promise<{ secret: string; hash: string }> {
  const secret = composeCode(crypto.getRandomValues(new Uint8Array(CODE_BYTES)))
  return { secret, hash: await digest(secret) }
}

/** Makes a secret, which is shown once, and the digest that is stored. */
export async function makeSecret(tokenId: string): Promise<{ secret: string; hash: string }> {
  const secret = composeToken(tokenId, crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))
  return { secret, hash: await digest(secret) }
}
