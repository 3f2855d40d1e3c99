package io.tensornio.internal.memory;

/** Tells whether a class overrides a method; uses reflection, so the result should be cached. */
public final class Overrides {
    private Overrides() {
    }

    /**
     * Whether a class overrides a method of a superclass, itself or by a class in between.
     *
     * @param derived the class
     * @param base a superclass of it
     * @param method the method's name
     * @param parameters the types of its parameters
     * @return true if the method is overridden
     */
    public static boolean overrides(Class<?> derived, Class<?> base, String method, Class<?>... parameters) {
        for (Class<?> c = derived; c != base; c = c.getSuperclass()) {
            try {
                c.getDeclaredMethod(method, parameters);
                return true;
            } catch (NoSuchMethodException e) {
                continue;           // look in its superclass
            }
        }
        return false;
    }
}
