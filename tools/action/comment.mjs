/**
 * Writes what `compare` says of this run and an earlier one to the pull request: one comment of each job, updated in place. Without an
 * earlier report it is the report alone. It is called by action.yml, in a job that may have no right to comment, so a failure is
 * a warning and never changes the verdict. No dependency: it runs before anything is installed.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

const TIMEOUT_MS = 20_000
/** GitHub refuses a longer text than 65,536 characters. */
const MAX_TEXT = 60_000
const MAX_BYTES = 64 * 2 ** 20
const MAX_PAGES = 30
const PER_PAGE = 100
/** Who the token of a workflow is: a comment of anyone else may carry the mark, and is left alone. */
const AUTHOR = 'github-actions[bot]'

const { env } = process

/** A line that no text can break out of, as GitHub reads workflow commands. */
const report = (level, text) => {
  const escaped = String(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  console.log(`::${level} title=Token Assay::${escaped}`)
}

/** A failure that a reader of the log can do something about. */
class Refusal extends Error {}

/** What to do about a status, where the token is what lacks. */
const REMEDIES = {
  fork: 'a pull request of a fork gets a token that may only read',
  own: 'the job needs `permissions: { contents: read, pull-requests: write }`',
}
const NO_RIGHT = [401, 403, 404]

/** @returns what the API answers, as JSON */
async function call({ isFork }, method, path, body) {
  const response = await fetch(`${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/${path}`, {
    method,
    // The token goes to no other address.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${env.GITHUB_TOKEN}`,
      'Content-Type': 'application/json',
      'User-Agent': 'token-assay',
      'X-GitHub-Api-Version': '2022-11-28',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (response.ok) return response.json()
  const remedy = NO_RIGHT.includes(response.status) ? ` (${isFork ? REMEDIES.fork : REMEDIES.own})` : ''
  throw new Refusal(`${method} was answered with ${response.status}${remedy}`)
}

/** Its number, where the event is one of a pull request. */
function pullRequest() {
  const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'))
  const { number, head, base } = event.pull_request ?? {}
  if (!Number.isSafeInteger(number)) return undefined
  return { number, isFork: head?.repo?.full_name !== base?.repo?.full_name }
}

/** Two jobs, folders or shards have a comment each. */
function markOf() {
  const identity = [env.GITHUB_WORKFLOW, env.GITHUB_JOB, env.ASSAY_OUT, env.ASSAY_SHARD]
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16)
  return `<!-- token-assay ${digest} -->`
}

/** The command renders as Markdown, which is where every text of a service is escaped. */
function rendered(...args) {
  const command = join(env.GITHUB_ACTION_PATH, 'build', 'token-assay.cjs')
  try {
    const stdio = ['ignore', 'pipe', 'inherit']
    return execFileSync(process.execPath, [command, ...args], {
      encoding: 'utf8',
      maxBuffer: MAX_BYTES,
      stdio,
    })
  } catch {
    throw new Refusal(`\`${args[0]}\` refuses the report`)
  }
}

function says() {
  const { ASSAY_REPORT: after, ASSAY_COMPARE_WITH: before } = env
  if (!after)
    return `Token Assay gave no verdict: exit code ${/^\d+$/.exec(env.ASSAY_EXIT_CODE ?? '') ?? 'unknown'}.\n`
  if (before && existsSync(before))
    try {
      if (realpathSync(before) === realpathSync(after)) throw new Refusal('it is the report of this run')
      return rendered('compare', '--reporter=markdown', '--', before, after)
    } catch (error) {
      report('warning', `the earlier report was not compared: ${error.message}`)
    }
  return rendered('report', '--reporter=markdown', '--', after)
}

function textOf(mark) {
  const text = says()
  const end = text.lastIndexOf('\n', MAX_TEXT)
  const short = text.length > MAX_TEXT ? `${text.slice(0, end)}\n\nThe rest is in the report.\n` : text
  const run = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`
  return `${mark}\n${short}\n[The run](${run})\n`
}

async function ownComment(found, mark) {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const comments = await call(
      found,
      'GET',
      `issues/${found.number}/comments?per_page=${PER_PAGE}&page=${page}`,
    )
    const own = comments.find(({ user, body }) => user?.login === AUTHOR && body?.startsWith(`${mark}\n`))
    if (own !== undefined || comments.length < PER_PAGE) return own?.id
  }
  throw new Refusal(`its comment is not among the first ${MAX_PAGES * PER_PAGE}`)
}

async function comment() {
  const found = pullRequest()
  if (found === undefined) return report('notice', 'no comment: the event is not one of a pull request')
  const mark = markOf()
  const body = textOf(mark)
  const id = await ownComment(found, mark)
  if (id === undefined) await call(found, 'POST', `issues/${found.number}/comments`, { body })
  else await call(found, 'PATCH', `issues/comments/${id}`, { body })
}

try {
  await comment()
} catch (error) {
  report('warning', `the comment was not written: ${error.cause?.message ?? error.message}`)
}
