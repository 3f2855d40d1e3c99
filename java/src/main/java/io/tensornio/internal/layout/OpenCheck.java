package io.tensornio.internal.layout;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Data whose tensor can be closed. */
public interface OpenCheck {
    /**
     * Checks that data is open, if it has a tensor; a user's own data counts as open.
     *
     * @throws io.tensornio.TensorClosedException if its tensor is closed
     */
    static void check(Object data) {
        if (data instanceof OpenCheck) {
            ((OpenCheck) data).checkOpen();
        }
    }

    /**
     * The checks that are to be made before several data are read: each one once. Long lists are not kept, so that a chain of views over ever more
     * tensors takes no more memory than its views.
     *
     * @param data the data
     * @return the checks, or null if there are more than 64
     */
    static OpenCheck[] checks(Object... data) {
        if (data.length == 1) {
            return data[0] instanceof OpenCheck ? ((OpenCheck) data[0]).checks() : new OpenCheck[0];
        }
        Set<OpenCheck> all = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Object one : data) {
            OpenCheck[] own = checks(one);
            if (own == null) {
                return null;
            }
            Collections.addAll(all, own);
        }
        return all.size() > 64 ? null : all.toArray(new OpenCheck[0]);
    }

    /**
     * What {@link #checkOpen} comes down to, so that a view of views of views need not go through all of them at each check.
     *
     * @return other checks, which are to be made in the place of this, and not to be changed; null if there are too many
     */
    default OpenCheck[] checks() {
        return new OpenCheck[] {this};
    }

    /**
     * Checks that the tensor is open.
     *
     * @throws io.tensornio.TensorClosedException if its tensor is closed
     */
    void checkOpen();
}
