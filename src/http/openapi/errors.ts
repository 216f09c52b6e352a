import { z } from 'zod'
import { detailCodes, type ErrorCode, errorCodes, limitNames } from '../../errors.ts'

/** The body of every error (docs/rules.md#error-format). */
export const ErrorResponse = z.object({
  error: z.object({
    code: z.enum(errorCodes).describe('What went wrong, from a closed list: branch on this.'),
    message: z.string().describe('The same in words, for a person.'),
    details: z
      .array(
        z.object({
          field: z
            .string()
            .describe('A path in the body, such as `scope.paths[2]`, or the name of a parameter or header.'),
          code: z.enum(detailCodes),
          message: z.string(),
        }),
      )
      .optional()
      .describe('Every field at fault, at most 100. Absent where no field is.'),
    allowed: z
      .array(z.string())
      .optional()
      .describe('With `invalid_transition` alone: the statuses that the record may move to.'),
    limit: z.enum(limitNames).optional().describe('With `limit_reached` alone: which limit is reached.'),
    documentation_url: z.string().describe('Where this code is explained, relative to the service.'),
    request_id: z.string().describe("This request's `X-Request-Id`: quote it when you report a problem."),
  }),
})

export interface ErrorGuide {
  /** When it is answered. */
  meaning: string
  /** What the caller does next. */
  remedy: string
}

/** What each code means and what to do about it: in the document, the reading page and llms.txt. */
export const errorGuides: Record<ErrorCode, ErrorGuide> = {
  category_not_allowed: {
    meaning: "The repository's settings disable this category of notables.",
    remedy: 'Choose another category. GET …/settings lists the disabled ones.',
  },
  expectation_failed: {
    meaning: 'The Expect header asks for something else than `100-continue`.',
    remedy: 'Leave the header out.',
  },
  forbidden: {
    meaning:
      'The token can see the repository but not write to it. At /mcp also: the request comes from a web page of another host.',
    remedy: 'Use a token with write access. Reading and checking for overlap need none.',
  },
  github_rate_limited: {
    meaning: "The token's rate limit at GitHub is spent, so GitHub can't say what the token may do.",
    remedy: 'Wait the seconds that Retry-After names, then send the same request again.',
  },
  github_unavailable: {
    meaning: 'GitHub is down, slow or answers nonsense, and nobody is let in on a failure.',
    remedy: 'Wait the seconds that Retry-After names, then send the same request again.',
  },
  headers_too_large: {
    meaning: 'The headers of the request, its path included, are larger than 16 KiB. The connection is closed.',
    remedy: 'Send less of them: cookies, for one, are read by nobody here.',
  },
  idempotency_key_reused: {
    meaning: 'This Idempotency-Key was used within the last 24 hours with another body.',
    remedy: 'Use a new key for a new record. Repeat a key only with the very same body.',
  },
  internal_error: {
    meaning: 'Something unforeseen went wrong inside the service.',
    remedy: 'Try again once; if it stays, report it with request_id.',
  },
  invalid_cursor: {
    meaning: 'The cursor was not made by this list, or was made with other filters.',
    remedy: 'Send next_cursor back unchanged and with the same filters, or start again without a cursor.',
  },
  invalid_json: {
    meaning: 'The body is not JSON in UTF-8, or a required body is missing.',
    remedy: 'Send one JSON object.',
  },
  invalid_token: {
    meaning: 'GitHub does not accept the token.',
    remedy: 'Get a new one, for example by `gh auth token`. Repeating the request with this token does not help.',
  },
  invalid_transition: {
    meaning: 'The activity cannot move from the status it has to the one asked for. Nothing of the PATCH was applied.',
    remedy: 'Choose one of error.allowed. An empty list means that the record is archived for good: create a new one.',
  },
  limit_reached: {
    meaning:
      'The repository holds as many records as it may: error.limit says of which kind, error.message how many. Nothing was created.',
    remedy:
      'Archive activities or notables that are no longer needed, and try again a second later. Where the limit is `records`, ended ones have to be deleted first, which the service does after their retention time. The operator can raise the limit.',
  },
  malformed_request: {
    meaning:
      'This is no request of HTTP/1.1: its method is unknown, or its first line, a header or the length of its body is not valid. The connection is closed.',
    remedy: 'Send it by an HTTP library. If one did, look for what changes requests on their way.',
  },
  method_not_allowed: {
    meaning: 'The path is known, but not with this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  not_found: {
    meaning:
      'There is no such route or record, or the token cannot see the repository. The last two look alike on purpose.',
    remedy:
      'Check owner, repository and id, and that the token may see the repository. Ended records are deleted after 30 days unless the operator chose otherwise.',
  },
  payload_too_large: {
    meaning: 'The body is larger than 256 KiB (25 MB for a webhook).',
    remedy: 'Send less: fold many paths into globs such as `src/billing/**`.',
  },
  rate_limited: {
    meaning:
      'The token made more requests than the operator allows in a minute, too many requests with it wait for GitHub, or GitHub refused too many tokens that came from this network address.',
    remedy: 'Wait the seconds that Retry-After names, then send the same request again, with a valid token.',
  },
  request_timeout: {
    meaning: 'The headers did not arrive within 10 s, or the whole request not within 20 s. Nothing was changed.',
    remedy: 'Send the same request again, on a new connection.',
  },
  sso_required: {
    meaning: 'The organization wants the token authorized for single sign-on.',
    remedy: 'Open the URL in the X-GitHub-SSO header, authorize the token, then try again.',
  },
  unauthenticated: {
    meaning: 'There is no `Authorization: Bearer` header.',
    remedy: 'Send a GitHub token: `Authorization: Bearer <token>`.',
  },
  unavailable: {
    meaning: 'The database is away, or the service is too busy or stopping.',
    remedy: 'Wait the seconds that Retry-After names, then send the same request again.',
  },
  unsupported_media_type: {
    meaning: 'The body is not declared as JSON in UTF-8, or has an unknown encoding.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  validation_failed: {
    meaning: 'A field, parameter or header is unknown, missing or not valid. Nothing was changed.',
    remedy: 'Correct every field that error.details names, then send the request again.',
  },
}
