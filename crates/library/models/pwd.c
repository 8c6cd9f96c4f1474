/* <pwd.h> and <grp.h>. Who is known is arbitrary. The next call overwrites what the last one returned, and what that leads to is gone. */

struct passwd {
    char *pw_name;
    char *pw_passwd;
    unsigned pw_uid;
    unsigned pw_gid;
    char *pw_gecos;
    char *pw_dir;
    char *pw_shell;
};

struct group {
    char *gr_name;
    char *gr_passwd;
    unsigned gr_gid;
    char **gr_mem;
};

static struct passwd user;
static char *user_texts[5];

static struct passwd *user_or_none(void) {
    if (__loopfrog_nondet_bool()) {
        *__errno_location() = __loopfrog_nondet_int();
        return 0;
    }
    user.pw_name = renewed_text(&user_texts[0]);
    user.pw_passwd = renewed_text(&user_texts[1]);
    user.pw_uid = (unsigned)__loopfrog_nondet_int();
    user.pw_gid = (unsigned)__loopfrog_nondet_int();
    user.pw_gecos = renewed_text(&user_texts[2]);
    user.pw_dir = renewed_text(&user_texts[3]);
    user.pw_shell = renewed_text(&user_texts[4]);
    return &user;
}

struct passwd *getpwnam(const char *name) {
    string(name);
    return user_or_none();
}

struct passwd *getpwuid(unsigned number) { return user_or_none(); }

struct passwd *getpwent(void) { return user_or_none(); }

void setpwent(void) {}

void endpwent(void) {}

static struct group users;
static char *group_texts[2];
static char **group_members;

/* Approximation: the names of members are anywhere. */
static struct group *group_or_none(void) {
    if (__loopfrog_nondet_bool()) {
        *__errno_location() = __loopfrog_nondet_int();
        return 0;
    }
    size_t members = size_between(0, 65535);
    users.gr_name = renewed_text(&group_texts[0]);
    users.gr_passwd = renewed_text(&group_texts[1]);
    users.gr_gid = (unsigned)__loopfrog_nondet_int();
    if (group_members)
        __loopfrog_free(group_members);
    group_members = __loopfrog_allocate((members + 1) * sizeof *group_members);
    __loopfrog_havoc(group_members, members * sizeof *group_members);
    group_members[members] = 0;
    users.gr_mem = group_members;
    return &users;
}

struct group *getgrnam(const char *name) {
    string(name);
    return group_or_none();
}

struct group *getgrgid(unsigned number) { return group_or_none(); }

struct group *getgrent(void) { return group_or_none(); }

void setgrent(void) {}

void endgrent(void) {}

static char *login_name;

char *getlogin(void) {
    if (__loopfrog_nondet_bool()) {
        set_errno();
        return 0;
    }
    return renewed_text(&login_name);
}
