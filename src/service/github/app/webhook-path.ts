export const webhookPath = '/api/github/webhooks'
