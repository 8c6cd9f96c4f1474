/* <pwd.h> and <grp.h>. Who is known is arbitrary. As in glibc, the next call overwrites what the last one returned. */

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

static struct passwd *user_or_none(void) {
    if (__loopfrog_nondet_bool()) {
        *__errno_location() = __loopfrog_nondet_int();
        return 0;
    }
    user.pw_name = new_text();
    user.pw_passwd = new_text();
    user.pw_uid = (unsigned)__loopfrog_nondet_int();
    user.pw_gid = (unsigned)__loopfrog_nondet_int();
    user.pw_gecos = new_text();
    user.pw_dir = new_text();
    user.pw_shell = new_text();
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

/* Approximation: the names of members are anywhere. */
static struct group *group_or_none(void) {
    if (__loopfrog_nondet_bool()) {
        *__errno_location() = __loopfrog_nondet_int();
        return 0;
    }
    size_t members = size_between(0, 65535);
    users.gr_name = new_text();
    users.gr_passwd = new_text();
    users.gr_gid = (unsigned)__loopfrog_nondet_int();
    users.gr_mem = __loopfrog_allocate((members + 1) * sizeof *users.gr_mem);
    __loopfrog_havoc(users.gr_mem, members * sizeof *users.gr_mem);
    users.gr_mem[members] = 0;
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
    login_name = new_text();
    return login_name;
}
