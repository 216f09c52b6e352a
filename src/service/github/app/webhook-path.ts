/** Where GitHub delivers events. */
export const webhookPath = '/api/github/webhooks'
