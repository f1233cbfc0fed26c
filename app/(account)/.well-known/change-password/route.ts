/** Leads password managers to the page that changes the password (W3C Change Password URL). */
export const GET = () => new Response(null, { status: 303, headers: { location: '/account/security/password' } })
