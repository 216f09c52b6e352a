import { z } from 'zod'
import { detailCodes, type ErrorCode, errorCodes, limitNames, type PageErrorCode } from '../../../../core/errors.ts'

/** The body of every error (docs/rules.md#error-format). */
export const ErrorResponse = z.object({
  error: z.object({
    code: z.enum(errorCodes).describe('What went wrong, from a closed list. Branch on this.'),
    message: z.string().describe('What went wrong, for a person to read.'),
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
      .describe('Every invalid field, at most 100. Absent if no field is invalid.'),
    allowed: z
      .array(z.string())
      .optional()
      .describe('Only with `invalid_transition`: the statuses that the record may move to.'),
    limit: z.enum(limitNames).optional().describe('Only with `limit_reached`: which limit is reached.'),
    documentation_url: z.string().describe('Where this code is explained, in the documentation of this service.'),
    request_id: z.string().describe('The `X-Request-Id` of this request. Quote it when you report a problem.'),
  }),
})

export interface ErrorGuide {
  /** When the service returns it. */
  meaning: string
  /** What the caller does next. */
  remedy: string
}

/** What each code means and what to do about it, for the OpenAPI document, /docs, llms.txt and MCP. */
export const errorGuides: Record<ErrorCode | PageErrorCode, ErrorGuide> = {
  category_not_allowed: {
    meaning: "The repository's settings disable this category of notables.",
    remedy: 'Choose another category. GET …/settings lists the disabled ones.',
  },
  forbidden: {
    meaning:
      'The token can see the repository but not write to it. Or the request comes from a web page of another host.',
    remedy: 'Use a token with write access. Reading and checking for overlap need only read access.',
  },
  github_rate_limited: {
    meaning: 'The token has used up its rate limit at GitHub, so GitHub does not say what the token may do.',
    remedy: 'Wait the seconds that Retry-After names, then send the same request again.',
  },
  github_unavailable: {
    meaning: 'GitHub is down or slow, or its response is not valid. Until it works, access is refused.',
    remedy: 'Wait the seconds that Retry-After names, then send the same request again.',
  },
  idempotency_key_reused: {
    meaning: 'This Idempotency-Key was used within the last 24 hours with another body.',
    remedy: 'Use a new key for a new record. Repeat a key only with the same body.',
  },
  insecure: {
    meaning: 'The page was opened over plain HTTP, and not on a loopback address. Nobody can sign in there.',
    remedy: 'Open the page over HTTPS, or on the machine of the service at 127.0.0.1.',
  },
  internal_error: {
    meaning: 'An unexpected error in the service.',
    remedy: 'Try again once. If it fails again, report it with request_id.',
  },
  invalid_code: {
    meaning: 'The code of `headsup open` is unknown, was used, or is older than 30 seconds.',
    remedy: 'Run `headsup open` again.',
  },
  invalid_cursor: {
    meaning: 'The cursor is not from this list, or is from a request with other filters.',
    remedy: 'Send next_cursor back unchanged and with the same filters, or start again without a cursor.',
  },
  invalid_json: {
    meaning: 'The body is not JSON in UTF-8, or a required body is missing.',
    remedy: 'Send one JSON object.',
  },
  invalid_token: {
    meaning: 'GitHub does not accept the token.',
    remedy: 'Get a new one, for example by `gh auth token`. Do not repeat the request with this token.',
  },
  invalid_transition: {
    meaning: 'The activity cannot move from its status to the requested one. Nothing of the PATCH was applied.',
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
      'The request is not valid HTTP/1.1: its method, first line, a header or body length is invalid. The connection is closed.',
    remedy: 'Use an HTTP library, and look for a proxy that changes requests.',
  },
  method_not_allowed: {
    meaning: 'The path is known, but not with this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  not_found: {
    meaning:
      'There is no such route or record, or the token cannot see the repository. Which one is not said, on purpose.',
    remedy:
      'Check owner, repository and id, and that the token may see the repository. Ended records are deleted after 30 days by default.',
  },
  observed: {
    meaning: 'The field belongs to an observed pull request and follows GitHub. Nothing of the PATCH was applied.',
    remedy:
      'Change the pull request on GitHub, or record the work as an activity of your own, which then stands for it.',
  },
  payload_too_large: {
    meaning: 'The body is larger than 256 KiB (1 MiB with `changes`, 25 MB for a webhook).',
    remedy: 'Send less: replace many paths by globs such as `src/billing/**`.',
  },
  rate_limited: {
    meaning:
      'The token made more requests than the operator allows in a minute or has too many streams open, or GitHub refused too many tokens from this network address.',
    remedy: 'Wait the seconds that Retry-After names, then send the same request again, with a valid token.',
  },
  sign_in_failed: {
    meaning: 'GitHub did not sign the person in: they refused, or the code from GitHub is no longer valid.',
    remedy: 'Sign in again.',
  },
  sso_required: {
    meaning: 'The organization requires that the token is authorized for single sign-on.',
    remedy: 'Open the URL in the X-GitHub-SSO header, authorize the token, then try again.',
  },
  unauthenticated: {
    meaning: 'There is no `Authorization: Bearer` header.',
    remedy: 'Send a GitHub token: `Authorization: Bearer <token>`.',
  },
  unavailable: {
    meaning: 'The database is unavailable, or the service is too busy or is stopping.',
    remedy: 'Wait the seconds that Retry-After names, then send the same request again.',
  },
  unknown_host: {
    meaning: 'The service is not known by the name in the `Host` header.',
    remedy:
      'Use its configured address, localhost or an IP address. The operator can add a name to HEADSUP_ALLOWED_HOSTS.',
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
