/** The tenant whose operations are fuzzed. */
export const TENANT = 'ten_fuzzed';
/** A tenant sends at most 1,000 invitations a day, so people who are there for one case are members of several others. */
export const PEOPLE_TENANTS = ['ten_peoplea', 'ten_peopleb', 'ten_peoplec', 'ten_peopled'];
