export const PASSWORD_HELP = 'At least 8 characters. Several words that only you would put together are good.';
